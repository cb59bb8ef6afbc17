//! Reads the body of a request in its media type.

use super::incoming::Received;
use super::{Body, Limits, RequestReader};
use crate::json::{self, Read, Reader};
use crate::media_type;
use crate::parameter::{FormStyle, FromParameter, read_form};
use crate::rule::{Check, Rule, read_checked};
use crate::violation::{Location, Violation, Violations};

/// The body of a request being read. A violation is noted, and gives `None`.
#[derive(Debug)]
pub struct BodyReader<'b, 'r> {
    pub(super) request: &'b mut RequestReader<'r>,
}

impl<'b, 'r> BodyReader<'b, 'r> {
    pub(super) fn new(request: &'b mut RequestReader<'r>) -> Self {
        request.notes.turn_to(Location::Body);
        Self { request }
    }

    /// The index of the content that was sent; `None` if there is no body.
    pub fn content(&self) -> Option<usize> {
        match &self.request.body {
            Received::Bytes(index, _) | Received::Stream(index, _) => Some(*index),
            Received::Waiting(_) | Received::Nothing => None,
        }
    }

    /// The limits of a request.
    pub fn limits(&self) -> Limits {
        self.request.limits
    }

    /// An optional body, read by `read` if present.
    pub fn optional<T>(self, read: impl FnOnce(Self) -> Option<T>) -> Option<T> {
        self.content().and_then(|_| read(self))
    }

    /// Notes that a required body is missing.
    pub fn missing<T>(self) -> Option<T> {
        self.request.notes.note("required", "is missing");
        None
    }

    /// JSON.
    pub fn json<T: Read>(self) -> Option<T> {
        self.json_with(T::read)
    }

    /// JSON, checked against rules.
    pub fn json_checked<T: Read + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        self.json_with(|json| read_checked(json, rules))
    }

    /// A form.
    pub fn form<T: FromParameter>(self) -> Option<T> {
        self.form_with(&[])
    }

    /// A form with styles for some members.
    pub fn form_with<T: FromParameter>(self, styles: &[(&str, FormStyle)]) -> Option<T> {
        let Received::Bytes(_, bytes) = &self.request.body else { return self.missing() };
        let read = read_form(bytes, styles, self.request.any_case());
        self.note(read)
    }

    /// A form, checked against rules.
    pub fn form_checked<T: FromParameter + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        self.form_with_checked(&[], rules)
    }

    /// A form with styles for some members, checked against rules.
    pub fn form_with_checked<T: FromParameter + Check>(
        self,
        styles: &[(&str, FormStyle)],
        rules: &[Rule<'_>],
    ) -> Option<T> {
        let Self { request } = self;
        let value: T = BodyReader::new(request).form_with(styles)?;
        value.check(rules, &mut request.notes).then_some(value)
    }

    /// Text. If the description leaves the media type open, JSON is read as a JSON string.
    pub fn text(self) -> Option<String> {
        let Received::Bytes(_, bytes) = &self.request.body else { return self.missing() };
        if self.request.content_type().is_some_and(media_type::is_json)
            && let Ok(text) = json::from_slice_strict(bytes)
        {
            return Some(text);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Some(text.to_owned()),
            Err(_) => self.broken("is not UTF-8"),
        }
    }

    /// Text, checked against rules.
    pub fn text_checked(self, rules: &[Rule<'_>]) -> Option<String> {
        let Self { request } = self;
        let text = BodyReader::new(request).text()?;
        text.check(rules, &mut request.notes).then_some(text)
    }

    /// A stream of bytes.
    pub fn stream(self) -> Option<Body> {
        match std::mem::replace(&mut self.request.body, Received::Nothing) {
            Received::Stream(_, body) => Some(body),
            Received::Waiting(_) | Received::Nothing | Received::Bytes(..) => self.missing(),
        }
    }

    fn json_with<T>(self, read: impl FnOnce(&mut Reader<'_>) -> Option<T>) -> Option<T> {
        let Received::Bytes(_, bytes) = &self.request.body else { return self.missing() };
        let mut read = json::read_document(Reader::strict(bytes), read);
        if let Err(violations) = &mut read
            && self.request.content_type().is_some_and(|content_type| !media_type::is_json(content_type))
        {
            violations.iter_mut().for_each(Violation::speak_of_text);
        }
        self.note(read)
    }

    pub(super) fn note<T>(self, read: Result<T, Violations>) -> Option<T> {
        read.map_err(|violations| self.request.notes.extend(violations)).ok()
    }

    pub(super) fn broken<T>(self, detail: &str) -> Option<T> {
        self.request.notes.note("syntax", detail);
        None
    }
}
