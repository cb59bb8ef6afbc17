//! What variants are called.

use super::is_name;
use crate::lower::schema::{ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, types};
use crate::lower::{Context, Schema, name, object};

/// The formats that make a string another type, and so another variant.
const FORMATS: &[&str] = &["date", "time", "date-time", "duration", "uuid", "ipv4", "ipv6"];

impl<'a> Context<'a> {
    /// By its schema, its title, or what it is.
    pub(super) fn variant_name(&mut self, schema: &Schema<'a>) -> String {
        if let Some(target) = &schema.target {
            return self.schema_rust_name(target);
        }
        let title = schema.text("title").filter(|title| is_name(title));
        if let Some(title) = title {
            return name::pascal(title);
        }
        let word = match types(schema)[..] {
            [STRING] => {
                let format = schema.keyword("format").and_then(|node| node.value.as_str());
                format.filter(|format| FORMATS.contains(format)).unwrap_or("string")
            }
            [INTEGER] => "integer",
            [NUMBER] => "number",
            [BOOLEAN] => "boolean",
            [ARRAY] => return self.array_name(schema),
            [OBJECT] => return self.object_name(schema),
            _ => "variant",
        };
        name::pascal(word)
    }

    /// `CatArray` for an array of `#/components/schemas/Cat`.
    fn array_name(&mut self, schema: &Schema<'a>) -> String {
        let items = schema.keyword("items").map(|items| self.schema(&items));
        match items {
            Some(items) if items.target.is_some() => format!("{}Array", self.variant_name(&items)),
            _ => "Array".to_owned(),
        }
    }

    /// The value of a member that can have only one tells variants apart.
    fn object_name(&mut self, schema: &Schema<'a>) -> String {
        for (_, node) in schema.parts.iter().flat_map(|part| part.members("properties")) {
            let member = self.schema(&node);
            if let Some(constant) = object::constant(&member) {
                return name::pascal(&constant.text());
            }
        }
        "Object".to_owned()
    }
}
