//! Types of other crates.

use super::JsonType;

/// A type of another crate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// Its whole path, which is one of Rust: `::money::Money`
    pub path: String,
    /// The type of JSON that its values have; `None` when they may have any.
    pub json: Option<JsonType>,
    /// What knows how its values are read and written.
    pub codec: Codec,
}

/// What knows how the values of a foreign type are read and written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// The type itself: `FromStr` and `Display`, or serde.
    Type,
    /// The module of the runtime that is called like the crate of the type.
    Runtime(&'static str),
}

/// What the values of a foreign type are in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignForm {
    /// A string.
    Text,
    /// A number.
    Number,
    /// Any other JSON.
    Json,
}

impl Foreign {
    /// What its values are in JSON.
    pub fn form(&self) -> ForeignForm {
        match self.json {
            Some(JsonType::String) => ForeignForm::Text,
            Some(JsonType::Number) => ForeignForm::Number,
            Some(JsonType::Null | JsonType::Boolean | JsonType::Array | JsonType::Object) | None => ForeignForm::Json,
        }
    }
}
