//! How values are written as text, in parameters and forms.

use super::{ParameterShape, Value};

/// The form of a value in parameters and forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextForm {
    /// One text: the type implements `FromText` and `ToText`.
    #[default]
    Text,
    /// A list of texts.
    Texts,
    /// Named texts, or a list of such.
    Fields,
    /// One of several types that are not all one text, or any JSON: the type implements `FromParameter` and
    /// `ToParameter`.
    Several,
    /// No text form; in an object it is JSON in a text.
    Json,
}

impl TextForm {
    /// Whether a value of this form must be unboxed: a single text can be read into the box.
    pub fn is_boxed(self, value: &Value) -> bool {
        match self {
            Self::Texts | Self::Fields | Self::Several => value.boxed,
            Self::Text | Self::Json => false,
        }
    }
}

/// The form of a union in parameters and forms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnionForm {
    /// Every variant is one text, and so is the union.
    #[default]
    Text,
    /// The variants have this shape; indices in the order in which they are tried.
    Several { shape: ParameterShape, order: Vec<usize> },
}
