//! Types of other crates.

use super::JsonType;

/// A type of another crate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// Its whole path, which is one of Rust: `::money::Money`
    pub path: String,
    /// The type of JSON that its values have; `None` when they may have any.
    pub json: Option<JsonType>,
}

/// How generated code reads and writes the values of a foreign type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignForm {
    /// A string, by `FromStr` and `Display`.
    Text,
    /// A number, by `FromStr` and `Display`.
    Number,
    /// Any other JSON, by serde.
    Json,
}

impl Foreign {
    /// How its values are read and written.
    pub fn form(&self) -> ForeignForm {
        match self.json {
            Some(JsonType::String) => ForeignForm::Text,
            Some(JsonType::Number) => ForeignForm::Number,
            Some(JsonType::Null | JsonType::Boolean | JsonType::Array | JsonType::Object) | None => ForeignForm::Json,
        }
    }
}
