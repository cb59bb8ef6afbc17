//! One part of a multipart body.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use http::HeaderMap;

use super::bounded::{Between, failure};
use super::{inside, refusal, unquoted};
use crate::charset;
use crate::json::{self, Read, Value};
use crate::parameter::{FromParameter, Style};
use crate::rule::{Check, Rule};
use crate::server::{Common, Failure, Limits, file_name, media_type};
use crate::text::FromText;
use crate::violation::{Location, Notes};

/// A part that has arrived; its bytes may not have.
#[derive(Debug)]
pub struct Field {
    name: &'static str,
    /// The name or the position in the body.
    place: Cow<'static, str>,
    part: FilePart,
    limits: Limits,
}

/// A part that is streamed.
#[derive(Debug)]
pub struct FilePart {
    // Boxed, because the other variants of the enum are small.
    part: Box<multer::Field<'static>>,
    file_name: Option<String>,
    is_read: bool,
    between: Arc<Between>,
}

impl Field {
    pub(super) fn new(
        name: &'static str,
        place: Cow<'static, str>,
        part: multer::Field<'static>,
        between: Arc<Between>,
        limits: Limits,
    ) -> Self {
        Self { name, place, part: FilePart::new(part, between), limits }
    }

    /// The name in the description; for a part without a name, the position in the description.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The headers of the part.
    pub fn headers(&self) -> &HeaderMap {
        self.part.headers()
    }

    /// The part as a stream.
    pub fn file(self) -> FilePart {
        self.part
    }

    /// Reads the part as text.
    pub async fn text<T: FromText>(self) -> Result<T, Failure<Common>> {
        let place = self.place.clone();
        let text = self.read_text().await?;
        T::from_text_strict(&text).map_err(|refused| refusal(&place, refused.code, refused.detail))
    }

    /// Reads the part as a list or an object in one text.
    pub async fn text_with<T: FromParameter>(self, style: Style) -> Result<T, Failure<Common>> {
        let place = self.place.clone();
        let text = self.read_text().await?;
        let raw =
            style.read_header(T::SHAPE, &text).map_err(|refused| refusal(&place, refused.code, refused.detail))?;
        let mut notes = Notes::new(Location::Body);
        match T::from_parameter(raw, &mut notes) {
            Some(value) if notes.is_empty() => Ok(value),
            _ => Err(Failure::invalid(inside(&place, notes.into_violations()))),
        }
    }

    /// Reads the part as a list or an object in one text, checked against rules.
    pub async fn text_with_checked<T: FromParameter + Check>(
        self,
        style: Style,
        rules: &[Rule<'_>],
    ) -> Result<T, Failure<Common>> {
        let place = self.place.clone();
        check(&place, self.text_with(style).await?, rules)
    }

    /// Reads the part as text, checked against rules.
    pub async fn text_checked<T: FromText + Check>(self, rules: &[Rule<'_>]) -> Result<T, Failure<Common>> {
        let place = self.place.clone();
        check(&place, self.text().await?, rules)
    }

    /// Reads the part as JSON.
    pub async fn json<T: Read>(self) -> Result<T, Failure<Common>> {
        let place = self.place.clone();
        let bytes = self.read().await?;
        json::from_slice_strict(&bytes).map_err(|violations| Failure::invalid(inside(&place, violations)))
    }

    /// Reads the part as JSON, checked against rules.
    pub async fn json_checked<T: Read + Check>(self, rules: &[Rule<'_>]) -> Result<T, Failure<Common>> {
        let place = self.place.clone();
        check(&place, self.json().await?, rules)
    }

    /// The failure for a part without a name in the description.
    pub fn unexpected(&self) -> Failure<Common> {
        refusal(&self.place, "unknown", "is not a part of this body")
    }

    async fn read_text(self) -> Result<String, Failure<Common>> {
        let place = self.place.clone();
        let content_type = self.part.content_type().map(str::to_owned);
        let bytes = self.read().await?;
        let bytes =
            charset::utf8(content_type.as_deref(), &bytes).map_err(|detail| refusal(&place, "contentType", detail))?;
        match content_type {
            // The media type decides: the text is a JSON string.
            Some(content_type) if media_type::is_json(&content_type) => match json::from_slice_strict(&bytes) {
                Ok(Value::String(text)) => Ok(text),
                Ok(value @ (Value::Number(_) | Value::Bool(_))) => Ok(value.to_string()),
                Ok(_) => Err(refusal(&place, "type", "is JSON of several values, not a text")),
                Err(violations) => Err(Failure::invalid(inside(&place, violations))),
            },
            _ => String::from_utf8(bytes.into_owned()).map_err(|_| refusal(&place, "type", "is not UTF-8")),
        }
    }

    async fn read(self) -> Result<Bytes, Failure<Common>> {
        let limit = self.limits.body;
        self.file().bytes(limit).await
    }
}

impl FilePart {
    fn new(part: multer::Field<'static>, between: Arc<Between>) -> Self {
        let file_name = file_name::extended(part.headers())
            .or_else(|| part.file_name().map(|name| file_name::decoded(&unquoted(name))));
        Self { part: Box::new(part), file_name, is_read: false, between }
    }

    /// The file name given by the caller; do not trust it as a path.
    pub fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }

    /// The media type given by the caller.
    pub fn content_type(&self) -> Option<&str> {
        self.headers().get(http::header::CONTENT_TYPE)?.to_str().ok()
    }

    /// The headers of the part.
    pub fn headers(&self) -> &HeaderMap {
        self.part.headers()
    }

    /// The next chunk; `None` at the end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Failure<Common>> {
        let chunk = self.part.chunk().await.map_err(failure)?;
        self.is_read = chunk.is_none();
        Ok(chunk)
    }

    /// Reads all bytes, at most `limit`.
    pub async fn bytes(mut self, limit: u64) -> Result<Bytes, Failure<Common>> {
        let mut bytes = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            bytes.extend_from_slice(&chunk);
            if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
                return Err(Failure::too_large(limit));
            }
        }
        Ok(bytes.freeze())
    }
}

impl Stream for FilePart {
    type Item = Result<Bytes, Failure<Common>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = ready!(Pin::new(&mut *self.part).poll_next(context));
        self.is_read = chunk.is_none();
        Poll::Ready(chunk.map(|chunk| chunk.map_err(failure)))
    }
}

impl Drop for FilePart {
    fn drop(&mut self) {
        if !self.is_read {
            self.between.skip();
        }
    }
}

fn check<T: Check>(place: &str, value: T, rules: &[Rule<'_>]) -> Result<T, Failure<Common>> {
    let mut notes = Notes::new(Location::Body);
    if value.check(rules, &mut notes) {
        Ok(value)
    } else {
        Err(Failure::invalid(inside(place, notes.into_violations())))
    }
}
