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
    /// Functions of the user's.
    With(Functions),
}

/// The functions `to_text` and `from_text` of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Functions {
    /// The whole path of the module: `::my_crate::local_time`
    pub module: String,
    /// The type that stands for the module in generated code: `LocalTime`
    pub rust: String,
    /// Whether the runtime reads and writes the type, too, so that this is a second form of it.
    pub second: bool,
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
    /// Whether a type of the runtime wraps the values: a generated crate cannot implement the runtime's traits for them.
    pub fn is_wrapped(&self) -> bool {
        match &self.codec {
            Codec::Type | Codec::With(_) => true,
            Codec::Runtime(_) => false,
        }
    }

    /// The type as users ask for it: `::money::Money`, or `::money::Money with ::my_crate::cents`
    pub fn text(&self) -> String {
        match &self.codec {
            Codec::Type | Codec::Runtime(_) => self.path.clone(),
            Codec::With(functions) => format!("{} with {}", self.path, functions.module),
        }
    }

    /// What its values are in JSON.
    pub fn form(&self) -> ForeignForm {
        match self.json {
            Some(JsonType::String) => ForeignForm::Text,
            Some(JsonType::Number) => ForeignForm::Number,
            Some(JsonType::Null | JsonType::Boolean | JsonType::Array | JsonType::Object) | None => ForeignForm::Json,
        }
    }
}
