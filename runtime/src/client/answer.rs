//! An answer that is being read.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, SET_COOKIE};
use http::{HeaderMap, StatusCode};
use reqwest::Url;

use super::media_type;
use super::operation::{Content, Outcome};
use super::{Download, Operation, RawResponse, Response, Undocumented};
use crate::charset;
use crate::json::{self, Read};
use crate::media_type::{essence, is_json};
use crate::parameter::{self, FormStyle, FromParameter, Raw, Shape, Style};
use crate::violation::{Location, Notes, Violation, Violations};

/// An answer. Its body has been read, unless the description declares a stream.
#[derive(Debug)]
pub struct Answer {
    pub(super) operation: &'static Operation,
    pub(super) url: Url,
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) outcome: Outcome,
    pub(super) contents: &'static [Content],
    pub(super) bytes: Bytes,
    pub(super) stream: Option<reqwest::Response>,
    /// The maximum number of bytes in memory.
    pub(super) limit: u64,
    /// The number of retries.
    #[cfg(feature = "tracing")]
    pub(super) repetitions: u32,
}

/// A type of the answers of one operation.
pub trait FromAnswer: Sized {
    /// Reads an answer with a declared status.
    fn from_answer(answer: &mut Answer) -> Result<Self, Unreadable>;
}

/// Why an answer does not match the description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    reason: Cow<'static, str>,
    violations: Vec<Violation>,
}

impl Answer {
    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The index of the declared content that the body has.
    pub fn content(&self) -> Result<usize, Unreadable> {
        media_type::choose(self.contents, self.content_type()).ok_or_else(|| match self.content_type() {
            Some(content_type) => Unreadable::new(format!("`{content_type}` is not one of its media types")),
            None => Unreadable::new("it does not say of which media type it is"),
        })
    }

    /// Reads the body as JSON.
    pub fn json<T: Read>(&mut self) -> Result<T, Unreadable> {
        json::from_slice(&self.utf8()?).map_err(|violations| self.not_json(violations))
    }

    /// Reads the body as text. If the media type is not declared exactly, JSON is read as a JSON string.
    pub fn text(&mut self) -> Result<String, Unreadable> {
        let bytes = self.utf8()?;
        if self.content_type().is_some_and(is_json)
            && let Ok(text) = json::from_slice(&bytes)
        {
            return Ok(text);
        }
        String::from_utf8(bytes.into_owned()).map_err(|_| Unreadable::new("it is not UTF-8"))
    }

    /// Reads the body as a form. The letter case of names is ignored.
    pub fn form<T: FromParameter>(&mut self) -> Result<T, Unreadable> {
        self.form_with(&[])
    }

    /// Reads a form with styles for some members.
    pub fn form_with<T: FromParameter>(&mut self, styles: &[(&str, FormStyle)]) -> Result<T, Unreadable> {
        parameter::read_form_tolerant(&self.bytes, styles).map_err(Unreadable::violated)
    }

    /// Returns the body as a stream.
    pub fn download(&mut self) -> Result<Download, Unreadable> {
        Ok(Download::new(self.headers.clone(), self.stream.take(), self.limit))
    }

    /// The maximum number of bytes of the body in memory.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Ignores the body.
    pub fn empty(&mut self) -> Result<(), Unreadable> {
        Ok(())
    }

    /// Fails without reading the body, since the operation declares no failure.
    pub fn undocumented(&mut self) -> Result<Undocumented, Unreadable> {
        Err(self.undeclared())
    }

    /// The error for a status that the description does not declare.
    pub fn undeclared(&self) -> Unreadable {
        Unreadable::new("its status is not declared")
    }

    /// A required header. The answer is returned even without it.
    pub fn required_header<T: FromParameter>(&self, name: &'static str) -> Result<T, Unreadable> {
        self.header(name, Style::SIMPLE).unwrap_or_else(|| Err(missing(name)))
    }

    /// A required object whose members are `name=value`. The answer is returned even without it.
    pub fn required_header_exploded<T: FromParameter>(&self, name: &'static str) -> Result<T, Unreadable> {
        self.header(name, Style::SIMPLE.explode(true)).unwrap_or_else(|| Err(missing(name)))
    }

    /// An optional header; `None` if it is invalid.
    pub fn optional_header<T: FromParameter>(&self, name: &'static str) -> Option<T> {
        self.header(name, Style::SIMPLE)?.ok()
    }

    /// An optional object whose members are `name=value`; `None` if it is invalid.
    pub fn optional_header_exploded<T: FromParameter>(&self, name: &'static str) -> Option<T> {
        self.header(name, Style::SIMPLE.explode(true))?.ok()
    }

    fn header<T: FromParameter>(&self, name: &'static str, style: Style) -> Option<Result<T, Unreadable>> {
        let text = self.header_text(name)?;
        let mut notes = Notes::tolerant(Location::Header(name));
        let raw = match T::SHAPE {
            // Each cookie has its own header, because it may contain commas (RFC 6265, section 3).
            Shape::Array if name.eq_ignore_ascii_case(SET_COOKIE.as_str()) => {
                Ok(Raw::List(self.header_texts(name).collect()))
            }
            shape => style.read_header(shape, &text),
        };
        let value = match raw {
            Ok(raw) => T::from_parameter(raw, &mut notes),
            Err(refusal) => {
                notes.note(refusal.code, refusal.detail);
                None
            }
        };
        Some(value.ok_or_else(|| Unreadable::violated(notes.into_violations())))
    }

    pub(super) fn into_raw(self) -> (&'static Operation, RawResponse) {
        (self.operation, RawResponse { status: self.status, headers: self.headers, bytes: self.bytes })
    }

    pub(super) fn into_response<T>(self, value: T) -> Response<T> {
        let Self { url, status, headers, bytes, .. } = self;
        Response { value, raw: RawResponse { status, headers, bytes }, url }
    }

    /// The body in UTF-8, converted from its charset.
    pub(super) fn utf8(&self) -> Result<Cow<'_, [u8]>, Unreadable> {
        charset::utf8(self.content_type(), &self.bytes).map_err(|refusal| Unreadable::new(format!("it {refusal}")))
    }

    fn content_type(&self) -> Option<&str> {
        self.headers.get(CONTENT_TYPE)?.to_str().ok()
    }

    /// All values of a header, joined. Cookies cannot be joined, so it is the first one.
    fn header_text(&self, name: &str) -> Option<String> {
        let mut values = self.header_texts(name);
        let first = values.next()?.into_owned();
        if name.eq_ignore_ascii_case(SET_COOKIE.as_str()) {
            return Some(first);
        }
        Some(values.fold(first, |all, value| format!("{all}, {value}")))
    }

    fn header_texts(&self, name: &str) -> impl Iterator<Item = Cow<'_, str>> {
        self.headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()))
    }

    #[cold]
    fn not_json(&self, violations: Violations) -> Unreadable {
        let mut violations = Vec::from(violations);
        let Some(content_type) = self.content_type().filter(|content_type| !is_json(content_type)) else {
            return Unreadable::violated(violations);
        };
        let essence = essence(content_type).to_ascii_lowercase();
        // The description has a number or a boolean in plain text.
        if self.contents.iter().any(|content| content.media_types.contains(&essence.as_str())) {
            violations.iter_mut().for_each(Violation::speak_of_text);
            return Unreadable::violated(violations);
        }
        Unreadable { reason: format!("it is `{content_type}`, not JSON").into(), violations }
    }
}

impl Unreadable {
    pub(super) fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { reason: reason.into(), violations: Vec::new() }
    }

    pub(super) fn violated(violations: impl Into<Vec<Violation>>) -> Self {
        let violations = violations.into();
        let shown: Vec<_> = violations.iter().take(3).map(ToString::to_string).collect();
        let more = if violations.len() > shown.len() { "; …" } else { "" };
        Self { reason: format!("{}{more}", shown.join("; ")).into(), violations }
    }

    /// The violations of the description.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }
}

impl Display for Unreadable {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

impl std::error::Error for Unreadable {}

fn missing(header: &str) -> Unreadable {
    Unreadable::new(format!("the header `{header}` is missing"))
}
