//! Media types, and what bodies of them are read as.

use super::multipart::has_parts;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::types::{ARRAY, OBJECT, STRING, types};

/// How a body of some media type is read and written.
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

/// What a schema is about, as far as media types care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// There is none.
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
            // A `oneOf` without `type` is about what its first variant is about.
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

/// Bytes that are not put into a text: `format: binary`, or a media type of their own without an encoding.
pub(crate) fn is_binary_at<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> bool {
    is_binary(&resolved_schema(resolver, node))
}

/// The same of a schema whose references are followed.
fn is_binary(schema: &Schema<'_>) -> bool {
    let is = |name: &str, value: &str| schema.keyword(name).is_some_and(|node| node.value.as_str() == Some(value));
    let own_type = schema.keyword("contentMediaType").is_some() && schema.keyword("contentEncoding").is_none();
    let file = schema.keyword("type").is_some_and(|node| node.value.as_str() == Some("file"));
    types(schema) == [STRING] && (is("format", "binary") || own_type || file)
}

/// JSON, whatever it is about: `application/json`, `application/problem+json`, `text/json`.
pub(crate) fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    let Some((_, sub)) = essence.split_once('/') else { return false };
    sub == "json" || sub.ends_with("+json")
}

/// Server-sent events.
pub(crate) fn is_event_stream(essence: &str) -> bool {
    essence == "text/event-stream"
}

/// A JSON text per line, or each behind a record separator. Most of the names were never registered.
pub(crate) fn is_json_lines(essence: &str) -> bool {
    let Some(("application" | "text", sub)) = essence.split_once('/') else { return false };
    let sub = sub.strip_prefix("x-").unwrap_or(sub);
    matches!(
        sub,
        "jsonl" | "jsonlines" | "json-lines" | "ndjson" | "nd-json" | "json-stream" | "stream+json" | "json-seq"
    ) || sub.ends_with("+json-seq")
}

/// Without parameters, in lower case.
pub(crate) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// With others than `charset`, which says nothing of the content.
pub(crate) fn has_parameters(media_type: &str) -> bool {
    media_type.split(';').skip(1).any(|parameter| !parameter.trim().to_ascii_lowercase().starts_with("charset"))
}

/// Lower is offered first.
pub(crate) fn preference(media_type: &str) -> u8 {
    match media_type {
        "application/json" => 0,
        _ if media_type.contains('*') => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::{Content, ContentKind, PartKind};
    use crate::lower::testing::{Lowered, operation, rule};

    /// `Json application/json i64`
    fn line(lowered: &Lowered, content: &Content) -> String {
        let kind = match &content.kind {
            ContentKind::Json(value) => format!("json {}", lowered.value(value)),
            ContentKind::Form(form) => format!("form {}", lowered.value(&form.value)),
            ContentKind::Text(value) => format!("text {}", lowered.value(value)),
            ContentKind::Bytes => "bytes".to_owned(),
            ContentKind::Events(None) => "text events".to_owned(),
            ContentKind::Events(Some(data)) => format!("events {}", lowered.value(data)),
            ContentKind::JsonLines(item) => format!("lines {}", lowered.value(item)),
            ContentKind::Multipart(multipart) => {
                let parts = multipart.parts.iter().map(|part| {
                    let kind = match part.kind {
                        PartKind::File => "file",
                        PartKind::Text => "text",
                        PartKind::Json => "json",
                    };
                    let value = lowered.value(&part.field.value);
                    let rules: Vec<_> = part.rules.iter().map(rule).collect();
                    let rules = if rules.is_empty() { String::new() } else { format!("({})", rules.join(" ")) };
                    let repeated = if part.repeated { "*" } else { "" };
                    format!("{}:{kind}{repeated}{rules}:{value}", part.field.name.rust)
                });
                multipart.rules.iter().map(rule).chain(parts).collect::<Vec<_>>().join(" ")
            }
        };
        format!("{}: {} {kind}", content.variant, content.media_types.join(" "))
    }

    fn contents(yaml: &str) -> (Vec<String>, Vec<String>) {
        let lowered = operation(&format!("requestBody: {{ content: {yaml} }}"));
        let body = lowered.only().request_body.as_ref();
        let lines = body.into_iter().flat_map(|body| &body.contents).map(|content| line(&lowered, content)).collect();
        (lines, lowered.problems)
    }

    #[test]
    fn media_types_decide_how_a_body_is_read() {
        let object = "schema: { type: object, properties: { a: { type: string } } }";
        let cases = [
            (format!("{{ application/json: {{ {object} }} }}"), vec!["Json: application/json json SendBody"]),
            ("{ application/json: {} }".into(), vec!["Json: application/json json Any"]),
            (
                "{ text/json: { schema: { type: integer } }, application/*+json: { schema: { type: integer } }, 'application/json; charset=utf-8': { schema: { type: integer } } }".into(),
                vec!["Json: application/json text/json application/*+json json i64"],
            ),
            (format!("{{ application/x-www-form-urlencoded: {{ {object} }} }}"), vec!["Form: application/x-www-form-urlencoded form SendBody"]),
            ("{ application/x-www-form-urlencoded: { schema: { type: object } } }".into(), vec!["Form: application/x-www-form-urlencoded form Map<String>"]),
            ("{ text/plain: { schema: { type: string } } }".into(), vec!["Text: text/plain text String"]),
            ("{ text/csv: {} }".into(), vec!["Text: text/csv text String"]),
            (format!("{{ text/plain: {{ {object} }} }}"), vec!["Json: text/plain json SendBody"]),
            ("{ application/octet-stream: { schema: { type: string, format: binary } } }".into(), vec!["Bytes: application/octet-stream bytes"]),
            ("{ image/png: {}, 'image/*': {} }".into(), vec!["Bytes: image/png image/* bytes"]),
            ("{ '*/*': { schema: { type: array, items: {} } } }".into(), vec!["Json: */* json Vec<Any>"]),
            ("{ application/json: { schema: { type: string, format: binary } } }".into(), vec!["Bytes: application/json bytes"]),
            ("{ application/jwt: { schema: { type: string } } }".into(), vec!["Text: application/jwt text String"]),
            ("{ text/event-stream: { schema: { type: string, format: binary } } }".into(), vec!["Bytes: text/event-stream bytes"]),
            ("{ application/x-ndjson: {}, application/json-seq: {} }".into(), vec!["Lines: application/x-ndjson application/json-seq lines Any"]),
            ("{ application/json: { schema: { type: integer } }, application/stream+json: { schema: { type: integer } } }".into(), vec!["Json: application/json json i64", "Lines: application/stream+json lines i64"]),
        ];
        for (yaml, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(contents(&yaml), (expected, Vec::new()), "{yaml}");
        }
    }

    #[test]
    fn rules_of_parts() {
        let form = "{ multipart/form-data: { schema: { type: object, required: [a], minProperties: 1, maxProperties: 2,
            dependentRequired: { a: [b] }, properties: { b: { type: string },
            a: { type: array, minItems: 2, maxItems: 3, uniqueItems: true, items: { type: string } } } } } }";
        let place = "W0402 /paths/~1/post/requestBody/content/multipart~1form-data/schema";
        assert_eq!(
            contents(&form.replace('\n', " ")),
            (
                vec![
                    "Multipart: multipart/form-data b:text:String \
                     a:text*(minItems 2 maxItems 3):Vec<String>(minItems 2, maxItems 3, unique)"
                        .to_owned()
                ],
                ["dependentRequired", "maxProperties", "properties/a/uniqueItems"]
                    .map(|word| format!("{place}/{word}"))
                    .to_vec()
            )
        );
    }

    #[test]
    fn parts_are_counted_where_all_have_names() {
        let form = "{ multipart/form-data: { schema: { type: object, additionalProperties: false, minProperties: 1,
            maxProperties: 2, properties: { a: { type: string }, b: { type: string } } } } }";
        assert_eq!(
            contents(&form.replace('\n', " ")),
            (
                vec![
                    "Multipart: multipart/form-data minProperties 1 maxProperties 2 a:text:String b:text:String"
                        .to_owned()
                ],
                Vec::new()
            )
        );
    }

    #[test]
    fn parts_of_variants() {
        let variants = "{ multipart/form-data: { schema: { oneOf: [
            { type: object, required: [file, kind], properties: { file: { type: string, format: binary }, kind: { enum: [a] } } },
            { type: object, required: [kind], properties: { name: { type: string }, kind: { enum: [b] } } } ] } } }";
        assert_eq!(
            contents(&variants.replace('\n', " ")),
            (
                vec!["Multipart: multipart/form-data file:file:Binary kind:json:Any name:text:String".to_owned()],
                vec!["W0402 /paths/~1/post/requestBody/content/multipart~1form-data/schema".to_owned()]
            )
        );
        assert_eq!(
            contents("{ multipart/form-data: { schema: { type: object, additionalProperties: { type: string } } } }"),
            (
                vec!["Bytes: multipart/form-data bytes".to_owned()],
                vec!["W0316 /paths/~1/post/requestBody/content/multipart~1form-data".to_owned()]
            )
        );
    }

    #[test]
    fn parts_of_multipart_bodies() {
        let (lines, problems) = contents(
            "
            {
              multipart/form-data: {
                schema: {
                  required: [file],
                  properties: {
                    file: { type: string, format: binary },
                    files: { type: array, items: { type: string, format: binary } },
                    name: { type: string },
                    at: { type: string, format: date-time },
                    tags: { type: array, items: { type: string } },
                    data: { type: object, properties: { x: {} } },
                    list: { type: array, items: { type: object, properties: { y: {} } } },
                    image: { type: string },
                    anything: {}
                  }
                },
                encoding: { image: { contentType: 'image/png, image/jpeg' } }
              }
            }
        "
            .replace('\n', " ")
            .as_str(),
        );
        assert_eq!(
            lines,
            [
                "Multipart: multipart/form-data file:file:Binary files:file*:Vec<Binary> name:text:String at:text:DateTime \
              tags:text*:Vec<String> data:json:SendBodyData list:json*:Vec<SendBodyListItem> image:file:Binary anything:file:Binary"
            ]
        );
        assert_eq!(problems, Vec::<String>::new());
    }
}
