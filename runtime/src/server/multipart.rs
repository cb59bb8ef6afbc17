//! Multipart bodies, read part by part while they arrive.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use http::HeaderMap;

use super::incoming::Received;
use super::{Body, BodyReader, Common, Failure, Limits, file_name, media_type};
use crate::charset;
use crate::json::{self, Read, Value};
use crate::parameter::{FromParameter, Style};
use crate::rule::{Check, Rule, check_items};
use crate::text::{FromText, quoted};
use crate::violation::{Location, Notes, Violation};

/// The media type that senders use when they know no better.
const UNKNOWN: &str = "application/octet-stream";

/// Maximum number of bytes before the first part or between two parts, including headers. The parser buffers
/// them, and scans them again with each chunk.
const BETWEEN: u64 = 16 << 10;

/// A multipart body, with the description of its parts.
#[derive(Debug)]
pub struct Multipart {
    parts: multer::Multipart<'static>,
    declared: &'static Parts,
    /// How often each part has arrived.
    seen: Vec<usize>,
    count: usize,
    limits: Limits,
    between: Arc<Between>,
}

/// The parts of a multipart body.
#[derive(Debug)]
pub struct Parts {
    /// The named parts.
    pub parts: &'static [Part],
    /// Rules for the number of distinct parts.
    pub rules: &'static [Rule<'static>],
    /// Other parts are refused.
    pub closed: bool,
}

/// A named part.
#[derive(Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Whether it is required.
    pub required: bool,
    /// Whether it may be repeated.
    pub repeated: bool,
    /// Rules for the number of its occurrences.
    pub rules: &'static [Rule<'static>],
    /// Allowed media types and ranges; any if empty.
    pub content_types: &'static [&'static str],
    /// The headers that it requires.
    pub headers: &'static [&'static str],
}

impl BodyReader<'_, '_> {
    /// The parts of a form.
    pub fn multipart(self, parts: &'static Parts) -> Option<Multipart> {
        let Received::Stream(_, body) = std::mem::replace(&mut self.request.body, Received::Nothing) else {
            return self.missing();
        };
        match boundary(body.content_type().unwrap_or_default()) {
            Ok(boundary) => Some(Multipart::new(body, &boundary, parts, self.request.limits)),
            Err(_) => self.broken("has no boundary in its `Content-Type`"),
        }
    }
}

impl Part {
    /// The violation of a part with these headers, if any.
    fn violation(&self, headers: &HeaderMap) -> Option<Violation> {
        let missing = self.headers.iter().find(|name| !headers.contains_key(**name));
        if let Some(name) = missing {
            return Some(violation(self.name, "required", format!("has no header `{name}`")));
        }
        Some(violation(self.name, "contentType", self.refuses(headers)?))
    }

    /// Why this media type is not allowed. A part without a media type, or with a generic one, is accepted.
    fn refuses(&self, headers: &HeaderMap) -> Option<String> {
        let said = headers.get(http::header::CONTENT_TYPE)?.to_str().unwrap_or_default();
        let essence = media_type::essence(said);
        let is_allowed = |range: &&str| media_type::covers(range, essence);
        if self.content_types.is_empty() || essence == UNKNOWN || self.content_types.iter().any(is_allowed) {
            return None;
        }
        Some(format!("is {}, not {}", quoted(essence), self.content_types.join(" or ")))
    }
}

/// A part that has arrived; its bytes may not have.
#[derive(Debug)]
pub struct Field {
    name: &'static str,
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

impl Multipart {
    fn new(body: Body, boundary: &str, declared: &'static Parts, limits: Limits) -> Self {
        let between = Arc::<Between>::default();
        let stream = OneByOne { body, rested: true, between: Arc::clone(&between) };
        Self {
            parts: multer::Multipart::new(stream, boundary),
            declared,
            seen: vec![0; declared.parts.len()],
            count: 0,
            limits,
            between,
        }
    }

    /// The next named part; the previous one must have been dropped.
    pub async fn next(&mut self) -> Result<Option<Field>, Failure<Common>> {
        loop {
            self.between.begin();
            let found = self.parts.next_field().await;
            self.between.end();
            let Some(mut field) = found.map_err(failure)? else {
                return self.finish();
            };
            self.count += 1;
            if self.count > self.limits.parts {
                return Err(Failure::of(
                    http::StatusCode::PAYLOAD_TOO_LARGE,
                    format!("the body has more than {} parts", self.limits.parts),
                ));
            }
            let found = self.name_of(&field).into_owned();
            match self.declared.parts.iter().position(|part| part.name == found) {
                Some(index) => {
                    let part = &self.declared.parts[index];
                    self.seen[index] += 1;
                    if self.seen[index] > 1 && !part.repeated {
                        return Err(refusal(part.name, "duplicate", "is there more than once"));
                    }
                    if self.seen[index] == 1 {
                        self.keep(|rule| matches!(rule, Rule::MaxProperties(_)))?;
                    }
                    if let Some(violation) = part.violation(field.headers()) {
                        return Err(Failure::invalid(vec![violation]));
                    }
                    let part = FilePart::new(field, Arc::clone(&self.between));
                    return Ok(Some(Field { name: self.declared.parts[index].name, part, limits: self.limits }));
                }
                None if self.declared.closed => return Err(refusal(&found, "unknown", "is not a part of this body")),
                None => while field.chunk().await.map_err(failure)?.is_some() {},
            }
        }
    }

    /// The name of a part: that of `Content-Disposition`, or else its `Content-ID`, or else that of the first part that has
    /// its media type and has not arrived.
    fn name_of<'f>(&self, field: &'f multer::Field<'_>) -> Cow<'f, str> {
        if let Some(name) = field.name() {
            return unquoted(name);
        }
        let header = |name: &str| field.headers().get(name)?.to_str().ok();
        let id = header("content-id").unwrap_or_default().trim().trim_start_matches('<').trim_end_matches('>');
        let parts = self.declared.parts;
        if parts.iter().any(|part| part.name == id) {
            return Cow::Borrowed(id);
        }
        let essence = media_type::essence(header("content-type").unwrap_or_default());
        let mut fitting = std::iter::zip(parts, &self.seen).filter(|(part, seen)| {
            let is_free = **seen == 0 || part.repeated;
            is_free && part.content_types.iter().any(|range| media_type::covers(range, essence))
        });
        Cow::Borrowed(fitting.next().map_or(id, |(part, _)| part.name))
    }

    fn finish(&self) -> Result<Option<Field>, Failure<Common>> {
        let mut violations = Vec::new();
        for (part, seen) in std::iter::zip(self.declared.parts, &self.seen) {
            if *seen > 0 {
                let mut notes = Notes::new(Location::Body);
                check_items(*seen, part.rules, &mut notes);
                violations.extend(inside(part.name, notes.into_violations()));
            } else if part.required {
                violations.push(violation(part.name, "required", "is missing"));
            }
        }
        if !violations.is_empty() {
            return Err(Failure::invalid(violations));
        }
        self.keep(|_| true)?;
        Ok(None)
    }

    /// Refuses a number of parts that violates one of these rules.
    fn keep(&self, applies: impl Fn(&Rule<'_>) -> bool) -> Result<(), Failure<Common>> {
        let count = self.seen.iter().filter(|seen| **seen > 0).count() as u64;
        let broken = self.declared.rules.iter().filter(|rule| applies(rule)).find_map(|rule| match rule {
            Rule::MinProperties(least) if count < *least => Some(("minProperties", format!("at least {least}"))),
            Rule::MaxProperties(most) if count > *most => Some(("maxProperties", format!("at most {most}"))),
            _ => None,
        });
        let Some((code, bound)) = broken else { return Ok(()) };
        let names: Vec<_> = self.declared.parts.iter().map(|part| quoted(part.name)).collect();
        let detail = format!("has {count} of the parts {}, {bound}", names.join(", "));
        let violation = Violation { location: Location::Body, pointer: String::new(), code, detail };
        Err(Failure::invalid(vec![violation]))
    }
}

impl Field {
    /// The name in the description.
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
        let name = self.name;
        let text = self.read_text().await?;
        T::from_text_strict(&text).map_err(|refused| refusal(name, refused.code, refused.detail))
    }

    /// Reads the part as a list or an object in one text.
    pub async fn text_with<T: FromParameter>(self, style: Style) -> Result<T, Failure<Common>> {
        let name = self.name;
        let text = self.read_text().await?;
        let raw = style.read_header(T::SHAPE, &text).map_err(|refused| refusal(name, refused.code, refused.detail))?;
        let mut notes = Notes::new(Location::Body);
        match T::from_parameter(raw, &mut notes) {
            Some(value) if notes.is_empty() => Ok(value),
            _ => Err(Failure::invalid(inside(name, notes.into_violations()))),
        }
    }

    /// Reads the part as a list or an object in one text, checked against rules.
    pub async fn text_with_checked<T: FromParameter + Check>(
        self,
        style: Style,
        rules: &[Rule<'_>],
    ) -> Result<T, Failure<Common>> {
        let name = self.name;
        check(name, self.text_with(style).await?, rules)
    }

    /// Reads the part as text, checked against rules.
    pub async fn text_checked<T: FromText + Check>(self, rules: &[Rule<'_>]) -> Result<T, Failure<Common>> {
        let name = self.name;
        check(name, self.text().await?, rules)
    }

    /// Reads the part as JSON.
    pub async fn json<T: Read>(self) -> Result<T, Failure<Common>> {
        let name = self.name;
        let bytes = self.read().await?;
        json::from_slice_strict(&bytes).map_err(|violations| Failure::invalid(inside(name, violations)))
    }

    /// Reads the part as JSON, checked against rules.
    pub async fn json_checked<T: Read + Check>(self, rules: &[Rule<'_>]) -> Result<T, Failure<Common>> {
        let name = self.name;
        check(name, self.json().await?, rules)
    }

    /// The failure for a part without a name in the description.
    pub fn unexpected(&self) -> Failure<Common> {
        refusal(self.name, "unknown", "is not a part of this body")
    }

    async fn read_text(self) -> Result<String, Failure<Common>> {
        let name = self.name;
        let content_type = self.part.content_type().map(str::to_owned);
        let bytes = self.read().await?;
        let bytes =
            charset::utf8(content_type.as_deref(), &bytes).map_err(|detail| refusal(name, "contentType", detail))?;
        match content_type {
            // The media type decides: the text is a JSON string.
            Some(content_type) if media_type::is_json(&content_type) => match json::from_slice_strict(&bytes) {
                Ok(Value::String(text)) => Ok(text),
                Ok(value @ (Value::Number(_) | Value::Bool(_))) => Ok(value.to_string()),
                Ok(_) => Err(refusal(name, "type", "is JSON of several values, not a text")),
                Err(violations) => Err(Failure::invalid(inside(name, violations))),
            },
            _ => String::from_utf8(bytes.into_owned()).map_err(|_| refusal(name, "type", "is not UTF-8")),
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

/// The buffer limit of the parser while it looks for the next part.
#[derive(Debug, Default)]
struct Between {
    is_looking: AtomicBool,
    /// The previous part has not been read to its end; it is skipped first and not buffered.
    skips: AtomicBool,
    taken: AtomicU64,
}

impl Between {
    fn begin(&self) {
        self.taken.store(0, Ordering::Relaxed);
        self.is_looking.store(true, Ordering::Relaxed);
    }

    fn end(&self) {
        self.is_looking.store(false, Ordering::Relaxed);
        self.skips.store(false, Ordering::Relaxed);
    }

    fn skip(&self) {
        self.skips.store(true, Ordering::Relaxed);
    }

    /// Whether another chunk may be taken. The last one may have any length, because it contains more than
    /// the headers.
    fn has_room(&self) -> bool {
        let is_bounded = self.is_looking.load(Ordering::Relaxed) && !self.skips.load(Ordering::Relaxed);
        !is_bounded || self.taken.load(Ordering::Relaxed) < BETWEEN
    }

    fn take(&self, bytes: usize) {
        self.taken.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Passes one chunk at a time to the parser, which would otherwise buffer all that a fast sender has ready.
struct OneByOne {
    body: Body,
    rested: bool,
    between: Arc<Between>,
}

impl Stream for OneByOne {
    type Item = Result<Bytes, Carried>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !std::mem::replace(&mut self.rested, true) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if !self.between.has_room() {
            let detail = format!("the body has more than {BETWEEN} bytes before a part, its headers included");
            let failure = Failure::of(http::StatusCode::PAYLOAD_TOO_LARGE, detail);
            return Poll::Ready(Some(Err(Carried(failure))));
        }
        let chunk = ready!(Pin::new(&mut self.body).poll_next(context));
        if let Some(Ok(piece)) = &chunk {
            self.between.take(piece.len());
        }
        self.rested = chunk.is_none();
        Poll::Ready(chunk.map(|chunk| chunk.map_err(Carried)))
    }
}

/// A failure passed through the parser, which only passes errors.
#[derive(Debug)]
struct Carried(Failure<Common>);

impl Display for Carried {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.message())
    }
}

impl Error for Carried {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source().map(|source| source as &(dyn Error + 'static))
    }
}

fn failure(error: multer::Error) -> Failure<Common> {
    match error {
        multer::Error::StreamReadFailed(error) => match error.downcast::<Carried>() {
            Ok(carried) => carried.0,
            Err(error) => Failure::internal(error),
        },
        // The service still holds a part while it asks for the next one.
        error @ multer::Error::LockFailure => Failure::internal(error),
        error => Failure::bad_request(format!("the multipart body cannot be read: {error}")),
    }
}

fn check<T: Check>(name: &str, value: T, rules: &[Rule<'_>]) -> Result<T, Failure<Common>> {
    let mut notes = Notes::new(Location::Body);
    if value.check(rules, &mut notes) {
        Ok(value)
    } else {
        Err(Failure::invalid(inside(name, notes.into_violations())))
    }
}

/// Unquotes a name. The HTML standard escapes exactly these three characters, so a literal `%22` cannot be
/// told from a quotation mark.
fn unquoted(name: &str) -> Cow<'_, str> {
    if !name.contains('%') {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"))
}

/// Violations of a part's value, with pointers from the whole body.
fn inside(name: &str, violations: impl IntoIterator<Item = Violation>) -> Vec<Violation> {
    let here = pointer(name);
    violations.into_iter().map(|found| Violation { pointer: format!("{here}{}", found.pointer), ..found }).collect()
}

fn refusal(name: &str, code: &'static str, detail: impl Into<String>) -> Failure<Common> {
    Failure::invalid(vec![violation(name, code, detail)])
}

fn violation(name: &str, code: &'static str, detail: impl Into<String>) -> Violation {
    Violation { location: Location::Body, pointer: pointer(name), code, detail: detail.into() }
}

fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The boundary of a multipart media type, including `multipart/related`.
fn boundary(content_type: &str) -> multer::Result<String> {
    let parameters = content_type.split_once(';').map_or("", |(_, parameters)| parameters);
    multer::parse_boundary(format!("multipart/form-data;{parameters}"))
}
