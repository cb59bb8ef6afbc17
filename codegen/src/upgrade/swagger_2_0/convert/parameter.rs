//! Path, query and header parameters, and response headers: their type becomes a schema.

use serde_json::{Value, json};

use super::schema::words;
use super::{Members, Upgrade, copy, extensions};
use crate::diagnostic::Code;
use crate::location::joined;
use crate::upgrade::openapi_3_0::rules::take_schema;

impl Upgrade<'_> {
    /// A parameter that is not part of a body.
    pub(super) fn parameter(&mut self, old: &Members, from: &str, to: &str) -> Value {
        let place = old.get("in").and_then(Value::as_str).unwrap_or_default();
        // Before its schema, so that references to `from` lead to the parameter.
        self.moves.add(to, from);
        let mut parameter = Members::new();
        copy(&["name", "in", "description", "required", "deprecated"], old, &mut parameter);
        if place == "query" {
            copy(&["allowEmptyValue"], old, &mut parameter);
        }
        parameter.extend(style(old, place));
        let schema = self.inline(old, from, &joined(to, &["schema"]));
        parameter.insert("schema".to_owned(), schema);
        copy(&["example"], old, &mut parameter);
        if let Some(example) = old.get("x-example") {
            parameter.entry("example").or_insert_with(|| example.clone());
        }
        parameter.extend(extensions(old));
        Value::Object(parameter)
    }

    /// A header of a response.
    pub(super) fn header(&mut self, old: &Members, from: &str, to: &str) -> Value {
        let mut header = Members::new();
        copy(&["description"], old, &mut header);
        let mut schema = self.inline(old, from, &joined(to, &["schema"]));
        let format = old.get("collectionFormat").and_then(Value::as_str).filter(|format| *format != "csv");
        if let (Some(format), Some("array")) = (format, old.get("type").and_then(Value::as_str)) {
            self.report(
                Code::UntypedParameter,
                &joined(from, &["collectionFormat"]),
                format!("the items of a header are not taken apart at `{format}`"),
            )
            .label("the header is one text")
            .help("`csv` is supported");
            schema = json!({"type": "string"});
        }
        header.insert("schema".to_owned(), schema);
        copy(&["example"], old, &mut header);
        header.extend(extensions(old));
        Value::Object(header)
    }

    /// The schema in `schema`, or made from sibling keywords such as `type`.
    pub(super) fn inline(&mut self, old: &Members, from: &str, to: &str) -> Value {
        if let Some(schema) = old.get("schema") {
            let (mut schema, from) = (schema.clone(), joined(from, &["schema"]));
            self.moves.add(to, &from);
            super::schema::schema(&mut schema);
            return schema;
        }
        self.moves.add(to, from);
        let mut schema = take_schema(&mut old.clone());
        copy(&["x-nullable", "x-rust-type", "x-rust-derive", "x-rust-attributes", "x-ms-enum"], old, &mut schema);
        words(&mut schema);
        schema.shift_remove("x-nullable");
        if let Some(Value::Object(items)) = schema.get_mut("items") {
            self.items(items, &joined(from, &["items"]));
        }
        Value::Object(schema)
    }

    /// An item is a single text, so it cannot contain a list.
    fn items(&mut self, items: &mut Members, from: &str) {
        if items.contains_key("$ref") {
            return;
        }
        items.shift_remove("collectionFormat");
        if items.get("type").is_some_and(|ty| ty == "array") {
            self.report(Code::UntypedParameter, from, "a list inside a list has no form as a parameter")
                .label("each inner list is taken as one text");
            items.clear();
            items.insert("type".to_owned(), "string".into());
        }
        words(items);
    }
}

/// `style` and `explode` of a list. If OpenAPI 3.0 has no such style, `x-style` carries it.
pub(super) fn style(old: &Members, place: &str) -> Members {
    let mut style = Members::new();
    if old.get("type").is_none_or(|ty| ty != "array") {
        return style;
    }
    let is_pair = place == "query" || place == "formData";
    let name = match old.get("collectionFormat").and_then(Value::as_str) {
        Some("multi") => return style,
        Some("ssv") => Some("spaceDelimited"),
        Some("pipes") => Some("pipeDelimited"),
        Some("tsv") => Some("tabDelimited"),
        _ => None,
    };
    if let Some(name) = name {
        let word = if is_pair && name != "tabDelimited" { "style" } else { "x-style" };
        style.insert(word.to_owned(), name.into());
    }
    if is_pair {
        style.insert("explode".to_owned(), Value::Bool(false));
    }
    style
}
