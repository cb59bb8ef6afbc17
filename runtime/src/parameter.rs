//! Parameters: values as texts, and the styles that serialize the texts in paths, queries, headers and
//! cookies.

mod choice;
mod decode;
mod encode;
#[cfg(feature = "object-parameter")]
mod fields;
mod form;
#[cfg(feature = "arguments")]
mod given;
mod json;
mod list;
#[cfg(feature = "object-parameter")]
mod member;
mod nested;
mod object;
mod pairs;
mod percent;
mod read;
mod slot;
mod style;
mod value;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::json::{Entries, Members};
use crate::text::{FromText, NO_TEXT, Refusal, ToText};
use crate::violation::{Location, Notes};
#[cfg(feature = "object-parameter")]
pub use fields::Fields;
#[cfg(feature = "client")]
pub(crate) use form::json_items;
pub use form::{read_form, read_form_tolerant, undivided, write_form, write_form_with};
#[cfg(feature = "arguments")]
pub(crate) use given::Given;
#[cfg(feature = "object-parameter")]
pub use member::{Boxed, Json, Member};
pub use pairs::Pairs;
#[cfg(any(feature = "client", feature = "server"))]
pub(crate) use percent::encode_literal;
pub use slot::Slot;
pub use style::{FormStyle, Style};

/// A value as texts, independent of a style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Raw<'a> {
    /// One text.
    Text(Cow<'a, str>),
    /// A list of texts.
    List(Vec<Cow<'a, str>>),
    /// Named texts.
    Fields(Vec<Field<'a>>),
}

impl Raw<'_> {
    /// Its texts, and the names of its members.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let (text, list, fields) = match self {
            Raw::Text(text) => (Some(text), &[][..], &[][..]),
            Raw::List(texts) => (None, texts.as_slice(), &[][..]),
            Raw::Fields(fields) => (None, &[][..], fields.as_slice()),
        };
        let members = fields.iter().flat_map(|field| [&field.name, &field.text]);
        text.into_iter().chain(list).chain(members).map(AsRef::as_ref)
    }

    /// Whether it can be written: infinities and NaN have no text.
    pub fn has_text(&self) -> bool {
        self.texts().all(|text| text != NO_TEXT)
    }
}

/// A text with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// `outer[inner]` for nested members.
    pub name: Cow<'a, str>,
    /// The value.
    pub text: Cow<'a, str>,
    /// Whether it is an item of a list; the other items have the same name.
    pub is_item: bool,
}

impl<'a> Field<'a> {
    fn new(name: impl Into<Cow<'a, str>>, text: Cow<'a, str>) -> Self {
        Self { name: name.into(), text, is_item: false }
    }
}

/// The kind of [`Raw`] that a type uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One text.
    Primitive,
    /// A list of texts.
    Array,
    /// Named texts.
    Object,
    /// Any of them: the text decides.
    Several,
}

/// Can be read from a parameter.
pub trait FromParameter: Sized {
    /// The shape it is read from.
    const SHAPE: Shape;
    /// The names of its members, if they can be told from other query parameters.
    const MEMBERS: Option<&'static Members> = None;

    /// Reads a value. `None`: at least one violation has been noted.
    fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self>;
}

/// Can be written as a parameter.
pub trait ToParameter {
    /// The texts that [`FromParameter`] reads.
    fn to_parameter(&self) -> Raw<'_>;
}

impl<T: FromText> FromParameter for T {
    const SHAPE: Shape = Shape::Primitive;

    fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
        let text = match raw {
            Raw::Text(text) => text,
            Raw::List(texts) => {
                at.note("duplicate", format!("is given {} times", texts.len()));
                return None;
            }
            Raw::Fields(_) => {
                at.note("type", "has members, but is one value");
                return None;
            }
        };
        let read = if at.is_strict() { T::from_text_strict(&text) } else { T::from_text(&text) };
        let read = read.or_else(|refusal| match http_date(at.location(), &text) {
            Some(date) => T::from_text(&date),
            None => Err(refusal),
        });
        accept(read, at)
    }
}

/// Converts an HTTP date such as `Wed, 21 Oct 2015 07:28:00 GMT` to RFC 3339.
fn http_date(location: Location, text: &str) -> Option<String> {
    const DATES: [&str; 7] =
        ["Date", "Expires", "If-Modified-Since", "If-Range", "If-Unmodified-Since", "Last-Modified", "Retry-After"];
    let Location::Header(name) = location else { return None };
    if !DATES.iter().any(|date| date.eq_ignore_ascii_case(name)) {
        return None;
    }
    let moment = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    Some(moment.to_string())
}

impl<T: ToText + ?Sized> ToParameter for T {
    fn to_parameter(&self) -> Raw<'_> {
        Raw::Text(self.to_text())
    }
}

impl<T: FromText> FromParameter for BTreeMap<String, T> {
    const SHAPE: Shape = Shape::Object;

    fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
        const NO_MEMBERS: Members = Members::exact(&[]);
        let mut entries = Entries::new();
        at.members(raw, &NO_MEMBERS, &mut [], &mut entries)?;
        entries.finish()
    }
}

impl<T: ToText> ToParameter for BTreeMap<String, T> {
    fn to_parameter(&self) -> Raw<'_> {
        Raw::Fields(self.iter().map(|(name, value)| Field::new(name.as_str(), value.to_text())).collect())
    }
}

fn accept<T>(value: Result<T, Refusal>, at: &mut Notes) -> Option<T> {
    match value {
        Ok(value) => Some(value),
        Err(refusal) => {
            at.note(refusal.code, refusal.detail);
            None
        }
    }
}
