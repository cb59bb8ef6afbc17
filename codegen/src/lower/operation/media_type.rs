//! Media types.

use super::is_token;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::types::{STRING, types};

/// Whether it is binary: `format: binary`, or a `contentMediaType` without an encoding.
pub(crate) fn is_binary_at<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> bool {
    is_binary(&resolved_schema(resolver, node))
}

/// The same for a resolved schema.
pub(crate) fn is_binary(schema: &Schema<'_>) -> bool {
    let is = |name: &str, value: &str| schema.keyword(name).is_some_and(|node| node.value.as_str() == Some(value));
    let own_type = schema.keyword("contentMediaType").is_some() && schema.keyword("contentEncoding").is_none();
    let file = schema.keyword("type").is_some_and(|node| node.value.as_str() == Some("file"));
    types(schema) == [STRING] && (is("format", "binary") || own_type || file)
}

/// Whether it is JSON: `application/json`, `application/problem+json`, `text/json`.
pub(crate) fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    let Some((_, sub)) = essence.split_once('/') else { return false };
    sub == "json" || sub.ends_with("+json")
}

/// Whether it is XML: `application/xml`, `text/xml`, `application/atom+xml`.
pub(crate) fn is_xml(essence: &str) -> bool {
    essence == "application/xml" || essence == "text/xml" || essence.ends_with("+xml")
}

/// Whether it is server-sent events.
pub(crate) fn is_event_stream(essence: &str) -> bool {
    essence == "text/event-stream"
}

/// Whether it is JSON Lines or a JSON text sequence. Most of these names are unregistered.
pub(crate) fn is_json_lines(essence: &str) -> bool {
    let Some(("application" | "text", sub)) = essence.split_once('/') else { return false };
    let sub = sub.strip_prefix("x-").unwrap_or(sub);
    matches!(
        sub,
        "jsonl" | "jsonlines" | "json-lines" | "ndjson" | "nd-json" | "json-stream" | "stream+json" | "json-seq"
    ) || sub.ends_with("+json-seq")
}

/// The media type without parameters, in lower case.
pub(crate) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The media type with the parameters that tell it from others: `application/json;version=2`. `charset` and `boundary`
/// say how the content is encoded.
pub(crate) fn with_parameters(media_type: &str) -> String {
    let mut normal = essence(media_type);
    // `text/html;q=0.9, */*` is a list.
    let parameters = media_type.split(';').skip(1).filter(|_| !media_type.contains(','));
    for (name, value) in parameters.filter_map(|parameter| parameter.split_once('=')) {
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"'));
        if !is_token(&name) || value.is_empty() || matches!(name.as_str(), "boundary" | "charset" | "q") {
            continue;
        }
        let is_quotable = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        if is_token(value) {
            normal.extend([";", &name, "=", value]);
        } else if value.bytes().all(is_quotable) {
            normal.extend([";", &name, "=\"", value, "\""]);
        }
    }
    normal
}

/// The preference; lower is offered first.
pub(crate) fn preference(media_type: &str) -> u8 {
    match media_type {
        "application/json" => 0,
        _ if media_type.contains('*') => 2,
        _ => 1,
    }
}
