//! The answer of a dry run.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::result;
use crate::client::{Outline, Request};

/// The request as it would be sent, without credentials.
pub(super) fn outline(request: Request, most: usize) -> CallToolResult {
    let Outline { operation, url, headers, body } = match request.outline() {
        Ok(outline) => outline,
        Err(problem) => return result::refusal(problem.to_string()),
    };
    let header = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        (name.to_string(), Value::from(String::from_utf8_lossy(value.as_bytes())))
    };
    let headers: Map<String, Value> = headers.iter().map(header).collect();
    let mut request = json!({ "method": operation.method, "url": url.as_str(), "headers": headers });
    if let Some(body) = body {
        request["body"] = result::beginning(&body, most).into();
    }
    let text = format!("Dry run; this request was not sent:\n{request:#}");
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(request);
    result
}
