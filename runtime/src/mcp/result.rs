//! From a response to the result of a call.

use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::{Tool, paging};
use crate::arguments::answer::{self, Received, chain};
use crate::client::Request;
use crate::json;
use crate::media_type::is_json;
use crate::text::{Base64, ToText};

/// The limits of a call.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The longest text, in bytes.
    pub(super) bytes: usize,
    pub(super) time: Duration,
}

/// A response whose body may be cut.
struct Whole {
    received: Received,
    bytes: Vec<u8>,
    /// Why the body is not complete.
    cut: Option<String>,
}

/// An argument or a request that is not valid.
pub(super) fn refusal(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// The beginning of a text, at most this many bytes.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Sends a request and returns what it gave.
pub(super) async fn send(tool: &Tool, arguments: &json::Value, request: Request, limits: Limits) -> CallToolResult {
    let deadline = Instant::now() + limits.time;
    let mut received = match answer::send(request, Some(limits.time)).await {
        Ok(received) => received,
        Err(error) => return refusal(chain(&error)),
    };
    let is_whole = received.is_whole();
    let mut bytes = Vec::new();
    let cut = loop {
        match timeout_at(deadline, received.chunk()).await {
            Ok(Ok(Some(chunk))) => bytes.extend_from_slice(&chunk),
            Ok(Ok(None)) => break None,
            Ok(Err(error)) => break Some(error.to_string()),
            Err(_) => break Some("the time of the call was up".to_owned()),
        }
        if !is_whole && bytes.len() > limits.bytes {
            break Some("the body is longer".to_owned());
        }
    };
    let whole = Whole { received, bytes, cut };
    if whole.received.is_failure { whole.failure(limits.bytes) } else { whole.success(tool, arguments, limits.bytes) }
}

impl Whole {
    /// The body as JSON, if it is complete JSON.
    fn json(&self) -> Option<Value> {
        if self.cut.is_some() || !is_json(&self.received.media_type()) {
            return None;
        }
        serde_json::from_slice(&self.bytes).ok()
    }

    /// The body as text, cut to the limit, with a word about it; `None` for other bytes.
    fn text(&self, most: usize) -> Option<(String, Option<String>)> {
        let text = match std::str::from_utf8(&self.bytes) {
            Ok(text) => text,
            // A cut may split a character.
            Err(error) if self.cut.is_some() && error.error_len().is_none() => {
                std::str::from_utf8(&self.bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return None,
        };
        let shown = beginning(text, most);
        let note = match &self.cut {
            Some(why) => Some(format!("[cut after {} bytes: {why}]", shown.len())),
            None if shown.len() < text.len() => {
                Some(format!("[cut: the first {} of {} bytes]", shown.len(), text.len()))
            }
            None => None,
        };
        Some((shown.to_owned(), note))
    }

    fn success(&self, tool: &Tool, arguments: &json::Value, most: usize) -> CallToolResult {
        let mut result = match (self.text(most), self.received.media_type()) {
            _ if self.bytes.is_empty() && self.cut.is_none() => self.empty(),
            (Some((text, None)), _) => self.whole(text),
            (Some((text, Some(note))), _) => {
                CallToolResult::success(vec![ContentBlock::text(format!("{text}\n\n{note} {}", paging::less(tool)))])
            }
            (None, media_type) => self.binary(&media_type, most),
        };
        let next =
            self.received.url.as_ref().and_then(|url| paging::next(tool, arguments, url, &self.received.headers));
        result.content.extend(next.map(ContentBlock::text));
        result
    }

    /// Text, and JSON as an object: clients expect one.
    fn whole(&self, text: String) -> CallToolResult {
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = match self.json() {
            Some(object @ Value::Object(_)) => Some(object),
            Some(other) => Some(json!({ "result": other })),
            None => None,
        };
        result
    }

    fn empty(&self) -> CallToolResult {
        let mut answer = json!({ "status": self.received.status.as_u16() });
        if let Some(location) = self.received.headers.get(http::header::LOCATION).and_then(|value| value.to_str().ok())
        {
            answer["location"] = location.into();
        }
        let text = format!("{}, without a body", self.received.status);
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(answer);
        result
    }

    fn binary(&self, media_type: &str, most: usize) -> CallToolResult {
        let length = self.bytes.len();
        let mut answer = json!({ "mediaType": media_type, "bytes": length });
        if self.cut.is_some() || length > most {
            let text = format!("{media_type}, at least {length} bytes: more than this server returns (`--max-bytes`)");
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            answer["cut"] = true.into();
            result.structured_content = Some(answer);
            return result;
        }
        let base64 = Base64(self.bytes.clone()).to_text().into_owned();
        let content = if media_type.starts_with("image/") {
            ContentBlock::image(base64.clone(), media_type)
        } else {
            ContentBlock::text(format!("{media_type}, {length} bytes, in base64: {base64}"))
        };
        answer["base64"] = base64.into();
        let mut result = CallToolResult::success(vec![content]);
        result.structured_content = Some(answer);
        result
    }

    /// The status and the body as an error.
    fn failure(&self, most: usize) -> CallToolResult {
        let (text, note) = self.text(most).unwrap_or_else(|| (format!("({} bytes)", self.bytes.len()), None));
        let line = format!("The service answered {}", self.received.status);
        let shown = match (text.trim(), note) {
            ("", _) => format!("{line}, without a body"),
            (text, None) => format!("{line}: {text}"),
            (text, Some(note)) => format!("{line}: {text}\n{note}"),
        };
        let mut result = CallToolResult::error(vec![ContentBlock::text(shown)]);
        let body = if self.bytes.len() <= most { self.json() } else { None };
        result.structured_content =
            Some(json!({ "status": self.received.status.as_u16(), "body": body.unwrap_or_else(|| text.into()) }));
        result
    }
}
