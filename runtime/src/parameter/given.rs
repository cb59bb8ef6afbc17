//! Any JSON value as a parameter.

use super::object::add_json;
use super::{Field, Raw, ToParameter};
use crate::json::Value;

/// A JSON value that is written as the texts of its items or members.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'value> {
    /// The value.
    pub(crate) value: &'value Value,
    /// The members that are JSON in a text.
    pub(crate) json: &'value [&'value str],
}

impl ToParameter for Given<'_> {
    fn to_parameter(&self) -> Raw<'_> {
        match self.value {
            Value::String(text) => Raw::Text(text.into()),
            Value::Null | Value::Bool(_) | Value::Number(_) => Raw::Text(self.value.to_string().into()),
            Value::Array(items) => Raw::List(items.iter().map(text).collect()),
            Value::Object(members) => {
                let mut fields = Vec::new();
                for (name, value) in members {
                    if self.json.contains(&name.as_str()) {
                        fields.push(Field::new(name.as_str(), value.to_string().into()));
                    } else {
                        add_json(&mut fields, name.clone(), value.clone(), false);
                    }
                }
                Raw::Fields(fields)
            }
        }
    }
}

fn text(value: &Value) -> std::borrow::Cow<'_, str> {
    match value {
        Value::String(text) => text.into(),
        value => value.to_string().into(),
    }
}
