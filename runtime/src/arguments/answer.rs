//! Sends a request and returns the response, whatever the description says of its body.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use reqwest::Url;

use crate::client::{Answer, Download, DownloadError, Error, Request};
use crate::media_type::essence;

/// A response, whose body may still be read.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// The URL that it came from; `None` for failures.
    pub(crate) url: Option<Url>,
    pub(crate) is_failure: bool,
    bytes: Bytes,
    stream: Option<Download>,
}

/// Sends a request.
pub(crate) async fn send(request: Request, timeout: Option<Duration>) -> Result<Received, Error<Download>> {
    let call = request.call(Answer::download, Answer::download);
    let call = timeout.into_iter().fold(call, crate::client::Call::timeout);
    match call.with_response().await {
        Ok(response) => Ok(Received {
            status: response.status(),
            headers: response.headers().clone(),
            url: Some(response.url().clone()),
            is_failure: false,
            bytes: response.bytes().clone(),
            stream: Some(response.value),
        }),
        Err(Error::Api(error)) => Ok(Received {
            status: error.status(),
            headers: error.headers().clone(),
            url: None,
            is_failure: true,
            bytes: error.bytes().clone(),
            stream: Some(error.body),
        }),
        Err(Error::Unexpected(error)) => Ok(Received {
            status: error.status(),
            headers: error.headers().clone(),
            url: None,
            is_failure: !error.status().is_success(),
            bytes: error.bytes().clone(),
            stream: None,
        }),
        Err(error) => Err(error),
    }
}

/// An error with its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let causes: Vec<_> = std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect();
    causes.join(": ")
}

impl Received {
    /// The media type of the body, without parameters.
    pub(crate) fn media_type(&self) -> String {
        let content_type = self.headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        essence(content_type.unwrap_or_default()).to_ascii_lowercase()
    }

    /// Whether all of the body is there already.
    #[cfg(feature = "mcp")]
    pub(crate) fn is_whole(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// The next part of the body; `None` at its end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, DownloadError> {
        if !self.bytes.is_empty() {
            return Ok(Some(std::mem::take(&mut self.bytes)));
        }
        match &mut self.stream {
            Some(stream) => stream.chunk().await,
            None => Ok(None),
        }
    }
}
