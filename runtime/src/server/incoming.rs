//! A request on its way to an operation: what has been read, and its violations.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use axum::body::HttpBody;
use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};

use super::call::Head;
use super::options::QueryRules;
use super::{Body, Call, Failure, Limits, Operation, Reply, RequestReader, media_type};
use crate::charset;
use crate::violation::Notes;

/// A request being read.
#[derive(Debug)]
pub(super) struct Incoming {
    head: Arc<Head>,
    body: Received,
    limits: Limits,
    keep_alive: Duration,
    query: QueryRules,
}

/// How much of the body has been received.
#[derive(Debug)]
pub(super) enum Received {
    /// Nothing has been requested.
    Waiting(axum::body::Body),
    /// There is no body.
    Nothing,
    /// All bytes, with the index of their content.
    Bytes(usize, Bytes),
    /// A stream, with the index of its content.
    Stream(usize, Body),
}

impl Incoming {
    pub(super) fn new(
        head: Arc<Head>,
        body: axum::body::Body,
        limits: Limits,
        keep_alive: Duration,
        query: QueryRules,
    ) -> Self {
        Self { head, body: Received::Waiting(body), limits, keep_alive, query }
    }

    /// The operation.
    fn operation(&self) -> &'static Operation {
        self.head.operation
    }

    /// The request before the caller is identified.
    pub(super) fn call(&self) -> Call<()> {
        Call::of(Arc::clone(&self.head), ())
    }

    /// Receives the body, reads everything with `read`, and chooses the media type of the response.
    ///
    /// Refuses, in this order: a body with a wrong media type or size, every violation of the description,
    /// and an `Accept` that no response can satisfy. A safe method is refused for its `Accept` only when
    /// there is a body to send: a request for something that does not exist gets 404.
    pub(super) async fn read<T>(
        &mut self,
        read: fn(&mut RequestReader<'_>) -> Option<T>,
    ) -> Result<(T, Reply), Failure> {
        self.receive().await?;
        let body = std::mem::replace(&mut self.body, Received::Nothing);
        let mut reader = RequestReader::new(&self.head, body, self.limits, self.query);
        let request = read(&mut reader);
        if request.is_some() {
            // Otherwise some parameters may not have been read yet.
            reader.refuse_unknown_query();
        }
        let reply = self.judge(reader.notes)?;
        // A reader that returns `None` has noted why.
        request.map(|request| (request, reply)).ok_or_else(|| Failure::bad_request("").into())
    }

    fn headers(&self) -> &HeaderMap {
        &self.head.parts.headers
    }

    fn judge(&self, notes: Notes) -> Result<Reply, Failure> {
        if !notes.is_empty() {
            return Err(Failure::invalid(notes.into_violations()).into());
        }
        let offers = self.operation().produces;
        match (media_type::negotiate(self.headers(), offers), offers.first()) {
            (Some(media_type), _) => Ok(Reply::of(media_type).with_keep_alive(self.keep_alive)),
            (None, None) => Ok(Reply::of("")),
            (None, Some(first)) if self.head.parts.method.is_safe() => {
                Ok(Reply::of(first).with_keep_alive(self.keep_alive))
            }
            (None, Some(_)) => Err(Failure::not_acceptable(offers)),
        }
    }

    /// The body in UTF-8, converted from its charset.
    fn in_utf8(&self, bytes: Bytes) -> Result<Bytes, Failure> {
        let content_type = self.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        match charset::utf8(content_type, &bytes) {
            Ok(Cow::Borrowed(_)) => Ok(bytes),
            Ok(Cow::Owned(decoded)) => Ok(decoded.into()),
            Err(refusal) => Err(Failure::unsupported_media_type(format!("the body {refusal}")).into()),
        }
    }

    async fn receive(&mut self) -> Result<(), Failure> {
        let Some(expected) = &self.operation().body else { return Ok(()) };
        let Received::Waiting(body) = std::mem::replace(&mut self.body, Received::Nothing) else { return Ok(()) };

        let content_type = self.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let accepted = || expected.contents.iter().flat_map(|content| content.media_types).copied();
        let sent = content_type.unwrap_or_default();
        let found = media_type::choose(expected.contents, sent);
        if body.is_end_stream() {
            // Clients often omit the media type of an empty body.
            let only = (expected.required && expected.contents.len() == 1).then_some(0);
            let index = if content_type.is_some() { found } else { only };
            let index = index.filter(|index| expected.contents[*index].empty);
            self.body = match index {
                Some(index) if expected.contents[index].streamed => {
                    let body = Body::new(body, content_type.map(str::to_owned), Some(0), self.limits.upload);
                    Received::Stream(index, body)
                }
                Some(index) => Received::Bytes(index, Bytes::new()),
                None => Received::Nothing,
            };
            return Ok(());
        }
        let Some(index) = found else {
            let accepted = accepted().collect::<Vec<_>>().join(", ");
            let failure = Failure::unsupported_media_type(format!("the body is one of {accepted}"));
            return Err(failure.with_header(ACCEPT, accepted).into());
        };

        if let Some(coding) = self.headers().get(CONTENT_ENCODING).filter(|coding| *coding != "identity") {
            let coding = String::from_utf8_lossy(coding.as_bytes());
            let failure =
                Failure::unsupported_media_type(format!("the body is encoded as `{coding}`, which is not read"));
            return Err(failure.with_header(ACCEPT_ENCODING, "identity").into());
        }
        let streamed = expected.contents[index].streamed;
        let limit = if streamed { self.limits.upload } else { self.limits.body };
        let length = self.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: u64| length > limit) {
            return Err(Failure::too_large(limit).into());
        }
        let body = Body::new(body, content_type.map(str::to_owned), length, limit);
        self.body = if streamed {
            Received::Stream(index, body)
        } else {
            match body.bytes().await? {
                bytes if bytes.is_empty() && !expected.contents[index].empty => Received::Nothing,
                bytes => Received::Bytes(index, self.in_utf8(bytes)?),
            }
        };
        Ok(())
    }
}
