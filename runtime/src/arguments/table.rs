//! Where the arguments of an operation are sent, and how they are written.

use crate::client::Operation;
use crate::parameter::{FormStyle, Style};

/// What an operation takes.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    /// The operation.
    pub operation: &'static Operation,
    /// The server of this operation, absolute or relative to the base URL.
    pub server: Option<&'static str>,
    /// The parameters.
    pub parameters: &'static [Parameter],
    /// The body.
    pub body: Option<Body>,
}

/// A parameter, and the argument that has its value.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) argument: &'static str,
    pub(crate) place: Place,
    pub(crate) form: Form,
}

/// Where a parameter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Header,
    Cookie,
    QueryString,
}

/// How a parameter is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// In a style, as texts of this form.
    Style(Style, TextForm),
    /// As JSON.
    Json,
    /// Each item as JSON.
    JsonItems,
}

/// How a JSON value is written as texts.
#[derive(Clone, Copy, Debug)]
pub enum TextForm {
    /// A text, a list of texts, or an object of such.
    Plain,
    /// JSON in a text.
    Json,
    /// A string as it is, everything else as JSON in a text.
    Any,
    /// A list whose items have this form.
    Items(&'static TextForm),
    /// An object: the form of members by name, and that of all others.
    Members(&'static [(&'static str, TextForm)], &'static TextForm),
}

#[cfg(feature = "cli")]
impl Place {
    /// As a name has it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query | Self::QueryString => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

impl Parameter {
    /// A parameter in the path.
    pub const fn path(name: &'static str) -> Self {
        Self::new(name, Place::Path, Style::SIMPLE)
    }

    /// A parameter in the query.
    pub const fn query(name: &'static str) -> Self {
        Self::new(name, Place::Query, Style::FORM)
    }

    /// A header.
    pub const fn header(name: &'static str) -> Self {
        Self::new(name, Place::Header, Style::SIMPLE)
    }

    /// A cookie.
    pub const fn cookie(name: &'static str) -> Self {
        Self::new(name, Place::Cookie, Style::FORM)
    }

    /// The whole query.
    pub const fn query_string(name: &'static str) -> Self {
        Self::new(name, Place::QueryString, Style::SIMPLE)
    }

    /// Sets the argument; by default it has the name of the parameter.
    #[must_use]
    pub const fn argument(self, argument: &'static str) -> Self {
        Self { argument, ..self }
    }

    /// Sets the style.
    #[must_use]
    pub const fn style(self, style: Style) -> Self {
        Self { form: Form::Style(style, TextForm::Plain), ..self }
    }

    /// Sets the form of the texts.
    #[must_use]
    pub const fn text_form(self, text_form: TextForm) -> Self {
        match self.form {
            Form::Style(style, _) => Self { form: Form::Style(style, text_form), ..self },
            Form::Json | Form::JsonItems => self,
        }
    }

    /// Writes the value as JSON.
    #[must_use]
    pub const fn json(self) -> Self {
        Self { form: Form::Json, ..self }
    }

    /// Writes each item as JSON.
    #[must_use]
    pub const fn json_items(self) -> Self {
        Self { form: Form::JsonItems, ..self }
    }

    const fn new(name: &'static str, place: Place, style: Style) -> Self {
        Self { name, argument: name, place, form: Form::Style(style, TextForm::Plain) }
    }
}

/// A body, and the argument that has its value.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The argument.
    pub argument: &'static str,
    /// The media type that it is sent as.
    pub media_type: &'static str,
    /// How it is written.
    pub kind: BodyKind,
}

/// How a body is written.
#[derive(Clone, Copy, Debug)]
pub enum BodyKind {
    /// As JSON.
    Json,
    /// As text.
    Text,
    /// As bytes, from an object with `text` or `base64`.
    Bytes,
    /// As a form.
    Form {
        /// The members with a style.
        styles: &'static [(&'static str, FormStyle)],
        /// The form of the members.
        form: TextForm,
    },
    /// As events, from a list of texts.
    TextEvents,
    /// As events, from a list of JSON values.
    JsonEvents,
    /// As JSON Lines or a JSON text sequence, from a list.
    JsonLines,
    /// As parts, from an object.
    Multipart(&'static [Part]),
    /// As parts without names, from an object.
    Positional(&'static [Part]),
}

impl BodyKind {
    /// The parts of a multipart body.
    #[cfg(feature = "cli")]
    pub(crate) fn parts(self) -> &'static [Part] {
        match self {
            Self::Multipart(parts) | Self::Positional(parts) => parts,
            _ => &[],
        }
    }
}

/// A part of a multipart body.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub(crate) name: &'static str,
    pub(crate) kind: PartKind,
    pub(crate) repeated: bool,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) style: Option<Style>,
}

/// How a part is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    File,
    Text,
    Json,
}

impl Part {
    /// A file, from an object with `text` or `base64`.
    pub const fn file(name: &'static str) -> Self {
        Self::new(name, PartKind::File)
    }

    /// A text.
    pub const fn text(name: &'static str) -> Self {
        Self::new(name, PartKind::Text)
    }

    /// A JSON value.
    pub const fn json(name: &'static str) -> Self {
        Self::new(name, PartKind::Json)
    }

    /// Takes a list; each item is a part.
    #[must_use]
    pub const fn repeated(self) -> Self {
        Self { repeated: true, ..self }
    }

    /// Sets the media type.
    #[must_use]
    pub const fn content_type(self, content_type: &'static str) -> Self {
        Self { content_type: Some(content_type), ..self }
    }

    /// Writes a list or an object as one text.
    #[must_use]
    pub const fn style(self, style: Style) -> Self {
        Self { style: Some(style), ..self }
    }

    const fn new(name: &'static str, kind: PartKind) -> Self {
        Self { name, kind, repeated: false, content_type: None, style: None }
    }
}
