//! How bodies are read: decided by media type and schema.

use super::media_type::{is_binary, is_event_stream, is_json, is_json_lines, is_xml};
use super::multipart::has_parts;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::resolved_schema;
use crate::lower::schema::types::{ARRAY, OBJECT, STRING, types};

/// How a body with some media type is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Json,
    Xml,
    Text,
    Bytes,
    Form,
    Events,
    JsonLines,
    Multipart,
    /// Multipart of parts without names.
    Parts,
}

/// The kind of schema, as far as media types are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The media type has no schema.
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
        _ if is_xml(essence) && matches!(subject, Subject::Object | Subject::Array) => Class::Xml,
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
