//! How a value is written where only text can stand: in parameters and forms.

use crate::ir::{Api, ForeignForm, ModelKind, Type, Value};

/// Types inside types inside types are asked this deep.
const DEEPEST: usize = 16;

/// The form of a value in parameters and forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// One text: the type implements `FromText` and `ToText`.
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
    /// The form of a value.
    pub(crate) fn of(api: &Api, value: &Value) -> Self {
        Self::at(api, value, 0)
    }

    /// Whether a value of this form has to be taken out of its box: one that is one text can be read into it.
    pub(crate) fn is_boxed(self, value: &Value) -> bool {
        match self {
            Self::Texts | Self::Fields | Self::Several => value.boxed,
            Self::Text | Self::Json => false,
        }
    }

    fn at(api: &Api, value: &Value, depth: usize) -> Self {
        if depth > DEEPEST {
            return Self::Json;
        }
        match &value.ty {
            Type::Boolean
            | Type::Integer(_)
            | Type::Float
            | Type::Double
            | Type::Decimal
            | Type::DecimalNumber
            | Type::String
            | Type::Date
            | Type::Time
            | Type::DateTime
            | Type::DateTimeLocal
            | Type::Duration
            | Type::Uuid
            | Type::Ipv4
            | Type::Ipv6
            | Type::Base64 => Self::Text,
            Type::Array(item) if item.nullable => Self::Json,
            Type::Array(item) => match Self::at(api, item, depth + 1) {
                Self::Text | Self::Texts => Self::Texts,
                Self::Fields | Self::Several => Self::Fields,
                Self::Json => Self::Json,
            },
            Type::Map(item) if is_text(api, item, depth) => Self::Fields,
            Type::Map(_) | Type::Tuple(_) | Type::Binary | Type::Any => Self::Json,
            Type::Foreign(foreign) => match foreign.form() {
                ForeignForm::Text | ForeignForm::Number => Self::Text,
                ForeignForm::Json => Self::Json,
            },
            Type::Model(id) => match &api.model(*id).kind {
                ModelKind::Enum(_) => Self::Text,
                ModelKind::Struct(_) => Self::Fields,
                ModelKind::Alias(alias) => Self::at(api, &alias.value, depth + 1),
                ModelKind::Union(union) => {
                    let all_text = union.variants.iter().all(|variant| is_text(api, &variant.value, depth));
                    if all_text { Self::Text } else { Self::Several }
                }
            },
        }
    }
}

fn is_text(api: &Api, value: &Value, depth: usize) -> bool {
    !value.nullable && TextForm::at(api, value, depth + 1) == TextForm::Text
}
