//! How a value is written where only text can stand: in parameters and forms.

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
    /// One of several types, not all of them one text: the type implements `FromParameter` and `ToParameter`.
    Several,
    /// None; inside of an object it is JSON in a text.
    Json,
}

impl TextForm {
    /// Whether a value of this form has to be taken out of its box: one that is one text can be read into it.
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
    /// Its variants are of the shape, by their indices in the order in which they are tried.
    Several { shape: ParameterShape, order: Vec<usize> },
}
