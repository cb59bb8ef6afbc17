//! What a body carries.

use super::model::has_new;
use super::{Field, Model, ParameterStyle, Presence, Rule, Value};

/// One form in which a body is sent, with all media types that mean the same.
#[derive(Clone, Debug)]
pub struct Content {
    /// As declared, lower case, the preferred one first; may hold ranges such as `application/*+json` or `*/*`.
    pub media_types: Vec<String>,
    /// How it is read and written.
    pub kind: ContentKind,
    /// The variant when a body has several contents.
    pub variant: String,
}

/// How a body is read and written.
#[derive(Clone, Debug)]
pub enum ContentKind {
    /// JSON; also `text/plain` and ranges such as `*/*` whose schema is no string.
    Json(Value),
    /// A string, not as JSON; a server checks the rules.
    Text(Value),
    /// Everything else and `format: binary`: a stream of bytes.
    Bytes,
    /// `application/x-www-form-urlencoded`, an object.
    Form(Form),
    /// `text/event-stream`: the data of one event, which is JSON; text when there is none.
    Events(Option<Value>),
    /// JSON Lines and JSON text sequences: one item.
    JsonLines(Value),
    /// `multipart/*`, an object whose members are the parts.
    Multipart(Multipart),
}

impl ContentKind {
    /// Whether it is handed on as it arrives, and cannot be cloned or compared.
    pub fn is_streamed(&self) -> bool {
        match self {
            Self::Bytes | Self::Events(_) | Self::JsonLines(_) | Self::Multipart(_) => true,
            Self::Json(_) | Self::Text(_) | Self::Form(_) => false,
        }
    }

    /// Whether the variant of an enum holds it in a `Box`, so that the variants are of similar size.
    pub fn is_boxed(&self) -> bool {
        match self {
            Self::Json(value) | Self::Form(Form { value, .. }) => value.boxed,
            Self::Text(_) | Self::Bytes | Self::Events(_) | Self::JsonLines(_) | Self::Multipart(_) => false,
        }
    }

    /// Whether it is a stream of typed items.
    pub fn has_items(&self) -> bool {
        match self {
            Self::Events(_) | Self::JsonLines(_) => true,
            Self::Json(_) | Self::Text(_) | Self::Bytes | Self::Form(_) | Self::Multipart(_) => false,
        }
    }
}

/// An `application/x-www-form-urlencoded` body.
#[derive(Clone, Debug)]
pub struct Form {
    /// The members; an object.
    pub value: Value,
    /// Those of them with lists that are not written as one pair for each item.
    pub lists: Vec<FormList>,
}

/// How a member of a form writes its lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormList {
    /// The name of the member.
    pub name: String,
    /// With numbers for `deepObject`, else as one text with commas, spaces, `|` or tabs.
    pub style: ParameterStyle,
}

/// A `multipart/*` body.
#[derive(Clone, Debug)]
pub struct Multipart {
    /// The parts, in the order of the description.
    pub parts: Vec<Part>,
    /// Parts that are not named are refused.
    pub closed: bool,
    /// `minProperties`, `maxProperties` of the body, of which every part is named.
    pub rules: Vec<Rule>,
    /// The Rust name of the enum of its parts, as a server reads them: `<Operation>Part`.
    pub part_rust: String,
}

impl Multipart {
    /// The struct of its parts has a function `new` that takes what is required.
    pub fn has_new(&self) -> bool {
        has_new(self.parts.iter().filter(|part| part.is_required()).count())
    }

    /// The struct of its parts has a `Default` in the client.
    pub(crate) fn has_client_default(&self, models: &[Model]) -> bool {
        let has_default = |part: &Part| part.kind == PartKind::File || part.field.value.has_client_default(models);
        self.parts.iter().all(|part| !part.is_required() || has_default(part))
    }
}

/// One part of a multipart body.
#[derive(Clone, Debug)]
pub struct Part {
    /// Name, documentation, type and presence; `field.value.ty` of a list is the type of one item's list.
    pub field: Field,
    /// The variant of the parts that the service is handed.
    pub variant: String,
    /// How it is read and written.
    pub kind: PartKind,
    /// The part may be repeated: the schema is an array.
    pub repeated: bool,
    /// `minItems`, `maxItems` of one that is repeated.
    pub rules: Vec<Rule>,
    /// `encoding.contentType`: media types and ranges of them, without parameters; any when there are none.
    pub content_types: Vec<String>,
}

impl Part {
    /// It is there exactly once, so that its field is neither an `Option` nor a list.
    pub fn is_required(&self) -> bool {
        !self.repeated && self.field.presence == Presence::Required
    }
}

/// How a part is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// `format: binary`: streamed.
    File,
    /// A primitive, as text.
    Text,
    /// An object or array, as JSON.
    Json,
}
