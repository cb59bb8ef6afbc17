//! Values as plain text, for parameters, text bodies and JSON strings.

mod base64;
mod choice;
mod number;
pub(crate) mod time;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

pub use base64::Base64;
pub(crate) use choice::not_one_of;
pub use choice::{choice, exact, first_of, integer_choice, known, nearest, only_known};
pub use number::canonical;
pub(crate) use number::{Whole, whole};

/// Can be parsed from text.
pub trait FromText: Sized {
    /// Parses the whole of `text`.
    fn from_text(text: &str) -> Result<Self, Refusal>;

    /// Whether `text`, which can be parsed, is in the exact format; if it may be another type as well, only
    /// an exact text is taken.
    fn is_exact(_text: &str) -> bool {
        true
    }

    /// Parses the whole of `text`, without the common deviations from the format.
    fn from_text_strict(text: &str) -> Result<Self, Refusal> {
        let value = Self::from_text(text)?;
        if Self::is_exact(text) {
            Ok(value)
        } else {
            Err(Refusal { code: "format", detail: format!("is {}, which is written in another way", quoted(text)) })
        }
    }
}

/// Can be written as text.
pub trait ToText {
    /// The text that [`FromText`] reads.
    fn to_text(&self) -> Cow<'_, str>;
}

/// Stands for a value without text, an infinity or NaN. It is not a Unicode character, and is refused before
/// it is sent.
pub(crate) const NO_TEXT: &str = "\u{FFFF}";

/// Why a text is not a value of a type: a [`Violation`](crate::violation::Violation) without its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The violated keyword of the description.
    pub code: &'static str,
    /// The rest of a sentence about the value.
    pub detail: String,
}

impl Refusal {
    /// `text` is not `expected`.
    pub fn new(code: &'static str, text: &str, expected: &str) -> Self {
        Self { code, detail: format!("is {}, not {expected}", quoted(text)) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the value {}", self.detail)
    }
}

impl Error for Refusal {}

/// `text` between backticks, shortened if it is long.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

impl FromText for String {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        Ok(text.to_owned())
    }
}

impl ToText for String {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl ToText for str {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl<T: ToText + ?Sized> ToText for &T {
    fn to_text(&self) -> Cow<'_, str> {
        T::to_text(self)
    }
}

impl FromText for bool {
    /// In any letter case: `True` is common.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        if text.eq_ignore_ascii_case("true") {
            Ok(true)
        } else if text.eq_ignore_ascii_case("false") {
            Ok(false)
        } else {
            Err(Refusal::new("type", text, "`true` or `false`"))
        }
    }
}

impl ToText for bool {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Borrowed(if *self { "true" } else { "false" })
    }
}

impl<T: FromText> FromText for Box<T> {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        T::from_text(text).map(Self::new)
    }

    fn is_exact(text: &str) -> bool {
        T::is_exact(text)
    }

    fn from_text_strict(text: &str) -> Result<Self, Refusal> {
        T::from_text_strict(text).map(Self::new)
    }
}

impl<T: ToText + ?Sized> ToText for Box<T> {
    fn to_text(&self) -> Cow<'_, str> {
        T::to_text(self)
    }
}

impl FromText for std::net::Ipv4Addr {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        text.parse().map_err(|_| Refusal::new("format", text, "an IPv4 address"))
    }
}

impl ToText for std::net::Ipv4Addr {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl FromText for std::net::Ipv6Addr {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        text.parse().map_err(|_| Refusal::new("format", text, "an IPv6 address"))
    }
}

impl ToText for std::net::Ipv6Addr {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}
