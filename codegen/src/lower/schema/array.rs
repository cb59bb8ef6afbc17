//! `type: array`.

use super::all_of::{Schema, conjunction};
use super::primitive::array_rules;
use super::reader::Reader;
use super::tuple::tuple;
use super::{value_at, value_of};
use crate::diagnostic::Code;
use crate::ir::{Type, Value};
use crate::lower::node::Node;

pub(super) fn array<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Value {
    if let Some(tuple) = tuple(reader, schema, hint) {
        return tuple;
    }
    let items: Vec<_> = schema.parts.iter().filter_map(|node| node.get("items")).collect();
    let item = match &items[..] {
        [] => Value::plain(Type::Any),
        [item] if item.object().is_some() => value_at(reader, item, &format!("{hint}Item")),
        [item] => {
            if item.value.is_array() {
                reader
                    .report(Code::UncheckedConstraint, &item.location, "a list of schemas in `items` is not checked")
                    .help("OpenAPI requires a single schema here, for all items");
            }
            Value::plain(Type::Any)
        }
        [first, ..] => {
            let both = conjunction(&mut reader.resolver, first, &items);
            value_of(reader, &both, &format!("{hint}Item"), false)
        }
    };
    Value { rules: array_rules(schema), ..Value::plain(Type::Array(Box::new(item))) }
}

/// A schema without annotations, for comparison.
pub(crate) fn without_annotations(node: &Node<'_>) -> serde_json::Value {
    let mut value = node.value.clone();
    if let serde_json::Value::Object(members) = &mut value {
        members.retain(|name, _| {
            !matches!(name.as_str(), "title" | "description" | "example" | "examples" | "default" | "deprecated")
        });
    }
    value
}
