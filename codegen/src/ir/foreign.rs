//! Types of other crates.

use super::JsonType;

/// A type of another crate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// The full path: `::money::Money`
    pub path: String,
    /// The JSON type of its values; `None` for any.
    pub json: Option<JsonType>,
    /// How its values are read and written.
    pub codec: Codec,
}

/// How the values of a foreign type are read and written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// By the type itself: `FromStr` and `Display`, or serde.
    Type,
    /// By the module of the runtime with the name of the type's crate.
    Runtime(&'static str),
    /// By functions of the user.
    With(Functions),
}

/// The functions `to_text` and `from_text` of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Functions {
    /// The full path of the module: `::my_crate::local_time`
    pub module: String,
    /// The type that represents the module in generated code: `LocalTime`
    pub rust: String,
    /// Whether the runtime also reads and writes the type, so this is a second format.
    pub second: bool,
}

/// The JSON form of a foreign type.
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
    /// Whether a runtime type wraps the values: a generated crate cannot implement the runtime's traits for
    /// them.
    pub fn is_wrapped(&self) -> bool {
        match &self.codec {
            Codec::Type | Codec::With(_) => true,
            Codec::Runtime(_) => false,
        }
    }

    /// The type as users write it: `::money::Money`, or `::money::Money with ::my_crate::cents`
    pub fn text(&self) -> String {
        match &self.codec {
            Codec::Type | Codec::Runtime(_) => self.path.clone(),
            Codec::With(functions) => format!("{} with {}", self.path, functions.module),
        }
    }

    /// The JSON form of its values.
    pub fn form(&self) -> ForeignForm {
        match self.json {
            Some(JsonType::String) => ForeignForm::Text,
            Some(JsonType::Number) => ForeignForm::Number,
            Some(JsonType::Null | JsonType::Boolean | JsonType::Array | JsonType::Object) | None => ForeignForm::Json,
        }
    }
}
