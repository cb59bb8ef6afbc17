//! One part of a multipart body.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use http::HeaderMap;

use super::bounded::Between;
use super::{Limits, PartError, ReadError, file_name, inside, refusal, unquoted};
use crate::json::{self, Read, Value};
use crate::parameter::{FromParameter, Style};
#[cfg(feature = "rule")]
use crate::rule::{Check, Rule};
use crate::text::FromText;
use crate::violation::{Location, Notes, Violations};
use crate::{charset, media_type};

/// A part that has arrived; its bytes may not have.
#[derive(Debug)]
pub struct Field<E> {
    name: &'static str,
    /// The name or the position in the body.
    place: Cow<'static, str>,
    part: FilePart<E>,
    limits: Limits,
    #[cfg(all(feature = "server", feature = "schema"))]
    values: super::values::Values,
}

/// A part that is streamed.
#[derive(Debug)]
pub struct FilePart<E> {
    // Boxed, because the other variants of the enum are small.
    part: Box<multer::Field<'static>>,
    file_name: Option<String>,
    is_read: bool,
    between: Arc<Between>,
    error: PhantomData<fn() -> E>,
}

impl<E: PartError> Field<E> {
    pub(super) fn new(
        name: &'static str,
        place: Cow<'static, str>,
        part: multer::Field<'static>,
        between: Arc<Between>,
        limits: Limits,
    ) -> Self {
        Self {
            name,
            place,
            part: FilePart::new(part, between),
            limits,
            #[cfg(all(feature = "server", feature = "schema"))]
            values: super::values::Values::default(),
        }
    }

    /// With a copy of the value for rules about the whole body.
    #[cfg(all(feature = "server", feature = "schema"))]
    pub(super) fn with_values(self, values: super::values::Values) -> Self {
        Self { values, ..self }
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
    pub fn file(self) -> FilePart<E> {
        self.part
    }

    /// Reads the part as text.
    pub async fn text<T: FromText + Read>(self) -> Result<T, E> {
        let place = self.place.clone();
        #[cfg(all(feature = "server", feature = "schema"))]
        let values = self.values.clone();
        let text = self.read_text().await?;
        #[cfg(all(feature = "server", feature = "schema"))]
        values.text::<T>(&place, &text).map_err(E::new)?;
        let read = if E::IS_STRICT { T::from_text_strict(&text) } else { T::from_text(&text) };
        read.map_err(|refused| E::new(refusal(&place, refused.code, refused.detail)))
    }

    /// Reads the part as a list or an object in one text.
    pub async fn text_with<T: FromParameter>(self, style: Style) -> Result<T, E> {
        let place = self.place.clone();
        let text = self.read_text().await?;
        let raw = style.read_header(T::SHAPE, &text);
        let raw = raw.map_err(|refused| E::new(refusal(&place, refused.code, refused.detail)))?;
        let mut notes = if E::IS_STRICT { Notes::new(Location::Body) } else { Notes::tolerant(Location::Body) };
        match T::from_parameter(raw, &mut notes) {
            Some(value) if notes.is_empty() || !E::IS_STRICT => Ok(value),
            _ => Err(E::new(ReadError::Invalid(inside(&place, notes.into_violations())))),
        }
    }

    /// Reads the part as a list or an object in one text, checked against rules.
    #[cfg(feature = "rule")]
    pub async fn text_with_checked<T: FromParameter + Check>(self, style: Style, rules: &[Rule<'_>]) -> Result<T, E> {
        let place = self.place.clone();
        check(&place, self.text_with(style).await?, rules)
    }

    /// Reads the part as text, checked against rules.
    #[cfg(feature = "rule")]
    pub async fn text_checked<T: FromText + Read + Check>(self, rules: &[Rule<'_>]) -> Result<T, E> {
        let place = self.place.clone();
        check(&place, self.text().await?, rules)
    }

    /// Reads the part as JSON.
    pub async fn json<T: Read>(self) -> Result<T, E> {
        let place = self.place.clone();
        #[cfg(all(feature = "server", feature = "schema"))]
        let values = self.values.clone();
        let bytes = self.read().await?;
        #[cfg(all(feature = "server", feature = "schema"))]
        values.json(&place, &bytes).map_err(E::new)?;
        read_json::<T, E>(&bytes).map_err(|violations| E::new(ReadError::Invalid(inside(&place, violations))))
    }

    /// Reads the part as JSON, checked against rules.
    #[cfg(feature = "rule")]
    pub async fn json_checked<T: Read + Check>(self, rules: &[Rule<'_>]) -> Result<T, E> {
        let place = self.place.clone();
        check(&place, self.json().await?, rules)
    }

    /// The error for a part without a name in the description.
    pub fn unexpected(&self) -> E {
        E::new(refusal(&self.place, "unknown", "is not a part of this body"))
    }

    async fn read_text(self) -> Result<String, E> {
        let place = self.place.clone();
        let content_type = self.part.content_type().map(str::to_owned);
        let bytes = self.read().await?;
        text_of(&bytes, content_type.as_deref(), &place).map_err(E::new)
    }

    async fn read(self) -> Result<Bytes, E> {
        let limit = self.limits.part;
        self.file().bytes(limit).await
    }
}

impl<E: PartError> FilePart<E> {
    fn new(part: multer::Field<'static>, between: Arc<Between>) -> Self {
        let file_name = file_name::extended(part.headers())
            .or_else(|| part.file_name().map(|name| file_name::decoded(&unquoted(name))));
        Self { part: Box::new(part), file_name, is_read: false, between, error: PhantomData }
    }

    /// The file name given by the sender; do not trust it as a path.
    pub fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }

    /// The media type given by the sender.
    pub fn content_type(&self) -> Option<&str> {
        self.headers().get(http::header::CONTENT_TYPE)?.to_str().ok()
    }

    /// The headers of the part.
    pub fn headers(&self) -> &HeaderMap {
        self.part.headers()
    }

    /// The next chunk; `None` at the end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, E> {
        let chunk = self.part.chunk().await.map_err(error)?;
        self.is_read = chunk.is_none();
        Ok(chunk)
    }

    /// Reads all bytes, at most `limit`.
    pub async fn bytes(mut self, limit: u64) -> Result<Bytes, E> {
        let mut bytes = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            bytes.extend_from_slice(&chunk);
            if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
                return Err(E::new(ReadError::TooLarge(format!("the body has more than {limit} bytes"))));
            }
        }
        Ok(bytes.freeze())
    }
}

impl<E: PartError> Stream for FilePart<E> {
    type Item = Result<Bytes, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = ready!(Pin::new(&mut *self.part).poll_next(context));
        self.is_read = chunk.is_none();
        Poll::Ready(chunk.map(|chunk| chunk.map_err(error)))
    }
}

impl<E> Drop for FilePart<E> {
    fn drop(&mut self) {
        if !self.is_read {
            self.between.skip();
        }
    }
}

fn error<E: PartError>(error: multer::Error) -> E {
    E::new(error.into())
}

fn read_json<T: Read, E: PartError>(bytes: &[u8]) -> Result<T, Violations> {
    if E::IS_STRICT { json::from_slice_strict(bytes) } else { json::from_slice(bytes) }
}

/// The text of a part, by its media type.
fn text_of(bytes: &[u8], content_type: Option<&str>, place: &str) -> Result<String, ReadError> {
    let bytes = charset::utf8(content_type, bytes).map_err(|detail| refusal(place, "contentType", detail))?;
    if !content_type.is_some_and(media_type::is_json) {
        return String::from_utf8(bytes.into_owned()).map_err(|_| refusal(place, "type", "is not UTF-8"));
    }
    // The media type decides: the text is a JSON string.
    match json::from_slice_strict(&bytes) {
        Ok(Value::String(text)) => Ok(text),
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => Ok(value.to_string()),
        Ok(_) => Err(refusal(place, "type", "is JSON of several values, not a text")),
        Err(violations) => Err(ReadError::Invalid(inside(place, violations))),
    }
}

#[cfg(feature = "rule")]
fn check<T: Check, E: PartError>(place: &str, value: T, rules: &[Rule<'_>]) -> Result<T, E> {
    let mut notes = Notes::new(Location::Body);
    if value.check(rules, &mut notes) {
        Ok(value)
    } else {
        Err(E::new(ReadError::Invalid(inside(place, notes.into_violations()))))
    }
}
