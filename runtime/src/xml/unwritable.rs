//! Values that XML cannot represent.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use crate::json;

/// A value that XML cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The JSON Pointer of the value.
    pub pointer: String,
    /// What is wrong with it, as the rest of a sentence.
    pub reason: &'static str,
}

impl Display for Unwritable {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => write!(formatter, "the value {}", self.reason),
            pointer => write!(formatter, "the value at {pointer} {}", self.reason),
        }
    }
}

impl Error for Unwritable {}

impl From<json::Unwritable> for Unwritable {
    fn from(json::Unwritable { pointer, reason }: json::Unwritable) -> Self {
        Self { pointer, reason: reason.text() }
    }
}
