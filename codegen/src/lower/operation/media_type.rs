//! Media types, and how bodies with them are read.

use super::multipart::has_parts;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::types::{ARRAY, OBJECT, STRING, types};

/// How a body with some media type is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Json,
    Text,
    Bytes,
    Form,
    Events,
    JsonLines,
    Multipart,
}

/// The kind of schema, as far as media types are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// There is no schema.
    Nothing,
    /// `type: string, format: binary`
    Binary,
    String,
    Object,
    Array,
    Other,
}

pub(crate) fn class_of<'a>(resolver: &mut Resolver<'a>, essence: &str, schema: Option<&Node<'a>>) -> Class {
    let subject = subject_of(resolver, schema);
    let (main, sub) = essence.split_once('/').unwrap_or((essence, ""));
    match (main, sub) {
        _ if is_event_stream(essence) || is_json_lines(essence) => match subject {
            Subject::Binary => Class::Bytes,
            _ if is_event_stream(essence) => Class::Events,
            _ => Class::JsonLines,
        },
        _ if is_json(essence) => {
            if subject == Subject::Binary {
                Class::Bytes
            } else {
                Class::Json
            }
        }
        ("multipart", _) => {
            if subject == Subject::Object && schema.is_some_and(|schema| has_parts(resolver, schema)) {
                Class::Multipart
            } else {
                Class::Bytes
            }
        }
        ("application", "x-www-form-urlencoded") => {
            if subject == Subject::Object {
                Class::Form
            } else {
                Class::Bytes
            }
        }
        ("application", "octet-stream" | "pdf" | "zip" | "gzip") => Class::Bytes,
        ("text", "plain") => match subject {
            Subject::Object | Subject::Array | Subject::Other => Class::Json,
            Subject::Binary => Class::Bytes,
            Subject::Nothing | Subject::String => Class::Text,
        },
        ("text", _) => {
            if subject == Subject::Binary {
                Class::Bytes
            } else {
                Class::Text
            }
        }
        ("*", _) | ("application", "*") => match subject {
            Subject::Object | Subject::Array | Subject::Other => Class::Json,
            Subject::Nothing | Subject::Binary => Class::Bytes,
            Subject::String => Class::Text,
        },
        ("application", _) if subject == Subject::String => Class::Text,
        _ => Class::Bytes,
    }
}

pub(crate) fn subject_of<'a>(resolver: &mut Resolver<'a>, schema: Option<&Node<'a>>) -> Subject {
    let Some(schema) = schema else { return Subject::Nothing };
    let schema = resolved_schema(resolver, schema);
    if is_binary(&schema) {
        return Subject::Binary;
    }
    match types(&schema)[..] {
        [STRING] => Subject::String,
        [OBJECT] => Subject::Object,
        [ARRAY] => Subject::Array,
        [] if schema.parts.is_empty() => Subject::Other,
        [] => {
            // A `oneOf` without `type` is classified by its first variant.
            let variant =
                schema.parts.iter().find_map(|node| node.items("oneOf").into_iter().chain(node.items("anyOf")).next());
            match variant.filter(|variant| variant.location != schema.place.location) {
                Some(variant) if schema.parts.len() == 1 => subject_of_variant(resolver, &variant),
                _ => Subject::Other,
            }
        }
        _ => Subject::Other,
    }
}

fn subject_of_variant<'a>(resolver: &mut Resolver<'a>, variant: &Node<'a>) -> Subject {
    let schema = resolved_schema(resolver, variant);
    match types(&schema)[..] {
        [STRING] => Subject::String,
        [OBJECT] => Subject::Object,
        [ARRAY] => Subject::Array,
        _ => Subject::Other,
    }
}

/// Whether it is binary: `format: binary`, or a `contentMediaType` without an encoding.
pub(crate) fn is_binary_at<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> bool {
    is_binary(&resolved_schema(resolver, node))
}

/// The same for a resolved schema.
fn is_binary(schema: &Schema<'_>) -> bool {
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

/// Whether it has parameters other than `charset`, which does not affect the content.
pub(crate) fn has_parameters(media_type: &str) -> bool {
    media_type.split(';').skip(1).any(|parameter| !parameter.trim().to_ascii_lowercase().starts_with("charset"))
}

/// The preference; lower is offered first.
pub(crate) fn preference(media_type: &str) -> u8 {
    match media_type {
        "application/json" => 0,
        _ if media_type.contains('*') => 2,
        _ => 1,
    }
}
