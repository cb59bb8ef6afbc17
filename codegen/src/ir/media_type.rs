//! Contents of bodies.

use super::{AnyModel, Api, Field, ParameterEncoding, ParameterStyle, Presence, Rule, ShortForm, Type, Value, Xml};

/// One content of a body, with all equivalent media types.
#[derive(Clone, Debug)]
pub struct Content {
    /// As declared, in lower case, the preferred one first; may include ranges such as `application/*+json`
    /// or `*/*`.
    pub media_types: Vec<String>,
    /// How it is read and written.
    pub kind: ContentKind,
    /// The name of the variant if a body has several contents.
    pub variant: String,
}

/// How a body is read and written.
#[derive(Clone, Debug)]
pub enum ContentKind {
    /// JSON; also `text/plain` and ranges such as `*/*` if the schema is not a string.
    Json(Value),
    /// XML with an object or a list.
    Xml(Xml),
    /// A plain string; a server checks the rules.
    Text(Value),
    /// A stream of bytes: `format: binary`, and all other media types.
    Bytes,
    /// `application/x-www-form-urlencoded`, an object.
    Form(Form),
    /// `text/event-stream`: the data of an event if it is JSON; `None` for text.
    Events(Option<Value>),
    /// JSON Lines and JSON text sequences: one item.
    JsonLines(Value),
    /// `multipart/*`, an object whose members are the parts.
    Multipart(Multipart),
}

impl ContentKind {
    /// Whether it is streamed, so that it cannot be cloned or compared.
    pub fn is_streamed(&self) -> bool {
        match self {
            Self::Bytes | Self::Events(_) | Self::JsonLines(_) | Self::Multipart(_) => true,
            Self::Json(_) | Self::Xml(_) | Self::Text(_) | Self::Form(_) => false,
        }
    }

    /// The JSON or XML value or the form that is read as a whole.
    pub(crate) fn whole(&self) -> Option<&Value> {
        match self {
            Self::Json(value) | Self::Xml(Xml { value, .. }) | Self::Form(Form { value, .. }) => Some(value),
            Self::Text(_) | Self::Bytes | Self::Events(_) | Self::JsonLines(_) | Self::Multipart(_) => None,
        }
    }

    /// The XML, if it is.
    pub(crate) fn xml(&self) -> Option<&Xml> {
        match self {
            Self::Xml(xml) => Some(xml),
            _ => None,
        }
    }

    /// Whether an enum variant boxes it, to keep variants of similar size.
    pub fn is_boxed(&self) -> bool {
        self.whole().is_some_and(|value| value.boxed)
    }

    /// Whether it is a stream of typed items.
    pub fn has_items(&self) -> bool {
        match self {
            Self::Events(_) | Self::JsonLines(_) => true,
            Self::Json(_) | Self::Xml(_) | Self::Text(_) | Self::Bytes | Self::Form(_) | Self::Multipart(_) => false,
        }
    }
}

/// An `application/x-www-form-urlencoded` body.
#[derive(Clone, Debug)]
pub struct Form {
    /// The object.
    pub value: Value,
    /// The members that are not written as every form writes them: lists as repeated pairs, members of objects
    /// with names in brackets.
    pub members: Vec<FormMember>,
}

/// How a member of a form is written.
#[derive(Clone, Debug, PartialEq)]
pub struct FormMember {
    /// The name of the member.
    pub name: String,
    /// As `encoding` says.
    pub encoding: ParameterEncoding,
    /// The names of the members of an exploded object, which are members of the form.
    pub spread: Vec<String>,
}

impl FormMember {
    /// Whether it is JSON in a text.
    pub fn is_json(&self) -> bool {
        matches!(self.encoding, ParameterEncoding::Json | ParameterEncoding::JsonItems)
    }
}

/// A `multipart/*` body.
#[derive(Clone, Debug)]
pub struct Multipart {
    /// The parts, in the order of the description.
    pub parts: Vec<Part>,
    /// Whether unknown parts are refused.
    pub closed: bool,
    /// Whether parts have no names and are told apart by their position. The wire name of a part is its position, and that
    /// of a repeated part, which is the last one, the position of its first occurrence.
    pub positional: bool,
    /// `minProperties`, `maxProperties` of the body, if every part is named; `minItems`, `maxItems` of parts without names.
    /// Of a request, also which parts go together.
    pub rules: Vec<Rule>,
    /// The Rust name of the receiver's enum of parts: `<Operation>Part`.
    pub part_rust: String,
}

impl Multipart {
    /// The part of a list of parts without names, all of which are alike.
    pub fn item(&self) -> Option<&Part> {
        match self.parts.as_slice() {
            [only] if self.positional && only.repeated => Some(only),
            _ => None,
        }
    }

    /// The name of a part among the arguments of tools and commands.
    pub(crate) fn argument<'p>(&self, part: &'p Part) -> &'p str {
        let name = &part.field.name;
        if self.positional { &name.rust } else { &name.wire }
    }

    /// Whether the struct of its parts has a function `new`: only if no two of its arguments have one type.
    pub fn has_new(&self, api: &Api) -> bool {
        let required = self.parts.iter().filter(|part| part.is_required());
        let types = required.map(|part| match part.kind {
            PartKind::File => Some(&Type::Binary),
            PartKind::Text | PartKind::Json => Some(&part.field.value.ty),
        });
        matches!(ShortForm::of(api, types), ShortForm::Value | ShortForm::New)
    }

    /// Whether the struct of parts has a `Default` in the client.
    pub(crate) fn has_client_default<M: AnyModel>(&self, models: &[M]) -> bool {
        let has_default = |part: &Part| part.kind == PartKind::File || part.field.value.has_client_default(models);
        self.parts.iter().all(|part| !part.is_required() || has_default(part))
    }
}

/// One part of a multipart body.
#[derive(Clone, Debug)]
pub struct Part {
    /// Name, documentation, type and presence; for a list, `field.value.ty` is the item's type.
    pub field: Field,
    /// The variant in the receiver's enum of parts.
    pub variant: String,
    /// How it is read and written.
    pub kind: PartKind,
    /// Whether the part may be repeated: the schema is an array.
    pub repeated: bool,
    /// `minItems`, `maxItems` of a repeated part.
    pub rules: Vec<Rule>,
    /// `encoding.contentType`: media types and ranges without parameters; empty for any.
    pub content_types: Vec<String>,
    /// How a list or an object is written as one text.
    pub style: Option<ParameterStyle>,
    /// `encoding.headers`
    pub headers: Vec<PartHeader>,
}

/// A header of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartHeader {
    /// Its name.
    pub name: String,
    /// Whether each such part must have it.
    pub required: bool,
}

impl Part {
    /// Whether its value comes with headers; files have them in any case.
    pub fn has_headers(&self) -> bool {
        self.kind != PartKind::File && !self.headers.is_empty()
    }

    /// Whether it occurs exactly once, so its field is neither an `Option` nor a list.
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
