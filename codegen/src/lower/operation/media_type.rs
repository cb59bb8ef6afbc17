//! `content`: media types that mean the same become one content.

use super::encoding::{read_form, report_unused_encoding};
use super::multipart::{has_parts, read_multipart};
use super::stream::{event_data, json_line};
use crate::diagnostic::Code;
use crate::ir::{Content, ContentKind, Enum, EnumValues, ModelKind, Rule, Type, Value};
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::reference::{Resolver, follow};
use crate::lower::reporter::Reporter;
use crate::lower::schema::alias::{resolved_kind, without_aliases};
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::reader::Reader;
use crate::lower::schema::types::{ARRAY, OBJECT, STRING, types};
use crate::lower::schema::value_at;

/// How a body of some media type is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
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
enum About {
    /// There is none.
    Nothing,
    /// `type: string, format: binary`
    Binary,
    String,
    Object,
    Array,
    Other,
}

/// Media types of one class and one schema.
struct Group<'a> {
    class: Class,
    media_types: Vec<String>,
    media_type: Node<'a>,
    schema: Option<Node<'a>>,
}

/// The contents of a body; `hint` names the models that have to be made.
pub(crate) fn read_contents<'a>(reader: &mut Reader<'a>, content: &Node<'a>, hint: &str) -> Vec<Content> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut members = content.own_members();
    // Of those that only parameters tell apart the one without any is meant by the name.
    members.sort_by_key(|(key, _)| has_parameters(key));
    for (key, media_type) in members {
        let Some(media_type) = follow(&mut reader.resolver, &media_type) else { continue };
        let essence = essence(key);
        let schema = media_type.get("schema");
        let class = if schema.is_none() && is_stream(&mut reader.resolver.reporter, &media_type, &essence) {
            Class::Bytes
        } else {
            class_of(&mut reader.resolver, &essence, schema.as_ref())
        };
        let same = groups.iter().position(|group| {
            let schemas = (group.schema.as_ref().map(|node| node.value), schema.as_ref().map(|node| node.value));
            let items = [&group.media_type, &media_type].map(|node| node.get("itemSchema").map(|node| node.value));
            group.class == class
                && (class != Class::Multipart)
                && items[0] == items[1]
                && (schemas.0 == schemas.1 || class == Class::Bytes)
        });
        let known = groups.iter().position(|group| group.media_types.contains(&essence));
        if known.is_some() && known != same {
            let message = format!("only its parameters tell `{key}` from another content");
            reader
                .report(Code::NotUsed, &content.location.member(key).name(), message)
                .label(format!("a body of `{essence}` is what that one says"));
            continue;
        }
        match same {
            Some(_) if known.is_some() => {}
            Some(index) => groups[index].media_types.push(essence),
            None => groups.push(Group { class, media_types: vec![essence], media_type, schema }),
        }
    }
    for group in &mut groups {
        group.media_types.sort_by_key(|media_type| preference(media_type));
    }
    groups.sort_by_key(|group| preference(&group.media_types[0]));
    report_lost_structure(&mut reader.resolver, &groups);

    let names = variants(&groups);
    let several = groups.len() > 1;
    let contents = groups.into_iter().zip(names).map(|(group, variant)| {
        let hint = if several { format!("{hint}{variant}") } else { hint.to_owned() };
        let kind = content_kind(reader, &group, &hint);
        report_unused_encoding(&mut reader.resolver, &group.media_type, &kind);
        Content { media_types: group.media_types, kind, variant }
    });
    contents.collect()
}

fn content_kind<'a>(reader: &mut Reader<'a>, group: &Group<'a>, hint: &str) -> ContentKind {
    match (group.class, &group.schema) {
        (Class::Json, Some(schema)) => ContentKind::Json(value_at(reader, schema, hint)),
        (Class::Json, None) => ContentKind::Json(Value::plain(Type::Any)),
        (Class::Form, Some(schema)) => ContentKind::Form(read_form(reader, schema, &group.media_type, hint)),
        (Class::Multipart, Some(schema)) => {
            ContentKind::Multipart(read_multipart(reader, schema, group.media_type.get("encoding").as_ref(), hint))
        }
        (Class::Events, _) => ContentKind::Events(event_data(reader, &group.media_type, hint)),
        (Class::JsonLines, _) => ContentKind::JsonLines(json_line(reader, &group.media_type, hint)),
        (Class::Text, schema) => ContentKind::Text(text_value(reader, group, schema.as_ref(), hint)),
        (Class::Bytes | Class::Form | Class::Multipart, _) => ContentKind::Bytes,
    }
}

/// A string, of which more is said where it is the whole text.
fn text_value<'a>(reader: &mut Reader<'a>, group: &Group<'a>, schema: Option<&Node<'a>>, hint: &str) -> Value {
    let is_plain = |media_type: &String| matches!(media_type.as_str(), "text/plain" | "text/*" | "*/*");
    let mut text = Value::plain(Type::String);
    let Some(schema) = schema.filter(|_| group.media_types.iter().all(is_plain)) else { return text };
    let value = value_at(reader, schema, hint);
    let value = without_aliases(reader, &value);
    if value.ty == Type::String {
        text.rules = value.rules;
    } else if let Some(ModelKind::Enum(Enum { values: EnumValues::String(variants), .. })) =
        resolved_kind(reader, &value.ty)
    {
        text.rules.push(Rule::OneOf(variants.into_iter().map(|variant| variant.value).collect()));
    }
    text
}

/// Items that come one after the other, in a form that nobody reads.
fn is_stream(reporter: &mut Reporter<'_>, media_type: &Node<'_>, essence: &str) -> bool {
    if is_event_stream(essence) || is_json_lines(essence) {
        return false;
    }
    let Some(items) = media_type.get("itemSchema") else { return false };
    reporter
        .report(
            Code::UntypedBody,
            &items.location.name(),
            format!("the items of a stream of `{essence}` are not taken apart"),
        )
        .label("the body is passed on as it is");
    true
}

fn class_of<'a>(resolver: &mut Resolver<'a>, essence: &str, schema: Option<&Node<'a>>) -> Class {
    let about = subject_of(resolver, schema);
    let (main, sub) = essence.split_once('/').unwrap_or((essence, ""));
    match (main, sub) {
        _ if is_event_stream(essence) || is_json_lines(essence) => match about {
            About::Binary => Class::Bytes,
            _ if is_event_stream(essence) => Class::Events,
            _ => Class::JsonLines,
        },
        _ if is_json(essence) => {
            if about == About::Binary {
                Class::Bytes
            } else {
                Class::Json
            }
        }
        ("multipart", _) => {
            if about == About::Object && schema.is_some_and(|schema| has_parts(resolver, schema)) {
                Class::Multipart
            } else {
                Class::Bytes
            }
        }
        ("application", "x-www-form-urlencoded") => {
            if about == About::Object {
                Class::Form
            } else {
                Class::Bytes
            }
        }
        ("application", "octet-stream" | "pdf" | "zip" | "gzip") => Class::Bytes,
        ("text", "plain") => match about {
            About::Object | About::Array | About::Other => Class::Json,
            About::Binary => Class::Bytes,
            About::Nothing | About::String => Class::Text,
        },
        ("text", _) => {
            if about == About::Binary {
                Class::Bytes
            } else {
                Class::Text
            }
        }
        ("*", _) | ("application", "*") => match about {
            About::Object | About::Array | About::Other => Class::Json,
            About::Nothing | About::Binary => Class::Bytes,
            About::String => Class::Text,
        },
        ("application", _) if about == About::String => Class::Text,
        _ => Class::Bytes,
    }
}

fn subject_of<'a>(resolver: &mut Resolver<'a>, schema: Option<&Node<'a>>) -> About {
    let Some(schema) = schema else { return About::Nothing };
    let schema = resolved_schema(resolver, schema);
    if is_binary(&schema) {
        return About::Binary;
    }
    match types(&schema)[..] {
        [STRING] => About::String,
        [OBJECT] => About::Object,
        [ARRAY] => About::Array,
        [] if schema.parts.is_empty() => About::Other,
        [] => {
            // A `oneOf` without `type` is about what its first variant is about.
            let variant =
                schema.parts.iter().find_map(|node| node.items("oneOf").into_iter().chain(node.items("anyOf")).next());
            match variant.filter(|variant| variant.location != schema.place.location) {
                Some(variant) if schema.parts.len() == 1 => subject_of_variant(resolver, &variant),
                _ => About::Other,
            }
        }
        _ => About::Other,
    }
}

fn subject_of_variant<'a>(resolver: &mut Resolver<'a>, variant: &Node<'a>) -> About {
    let schema = resolved_schema(resolver, variant);
    match types(&schema)[..] {
        [STRING] => About::String,
        [OBJECT] => About::Object,
        [ARRAY] => About::Array,
        _ => About::Other,
    }
}

/// Bytes that are not put into a text: `format: binary`, or a media type of their own without an encoding.
pub(crate) fn is_binary_at<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> bool {
    is_binary(&resolved_schema(resolver, node))
}

/// XML, CSV and the like are bytes or text whatever their schema says.
fn report_lost_structure<'a>(resolver: &mut Resolver<'a>, groups: &[Group<'a>]) {
    if groups.iter().any(|group| {
        matches!(group.class, Class::Json | Class::Form | Class::Events | Class::JsonLines | Class::Multipart)
    }) {
        return;
    }
    for group in groups {
        if matches!(subject_of(resolver, group.schema.as_ref()), About::Object | About::Array) {
            let media_type = &group.media_types[0];
            resolver
                .report(
                    Code::UntypedBody,
                    &group.media_type.location.name(),
                    format!("`{media_type}` is not taken apart"),
                )
                .label("the body is passed on as it is")
                .help("JSON, forms, events and multipart bodies are typed");
        }
    }
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
fn is_event_stream(essence: &str) -> bool {
    essence == "text/event-stream"
}

/// A JSON text per line, or each behind a record separator. Most of the names were never registered.
fn is_json_lines(essence: &str) -> bool {
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
fn has_parameters(media_type: &str) -> bool {
    media_type.split(';').skip(1).any(|parameter| !parameter.trim().to_ascii_lowercase().starts_with("charset"))
}

/// Lower is offered first.
fn preference(media_type: &str) -> u8 {
    match media_type {
        "application/json" => 0,
        _ if media_type.contains('*') => 2,
        _ => 1,
    }
}

/// The names of the variants: what it is, and the subtype where two are the same.
fn variants(groups: &[Group<'_>]) -> Vec<String> {
    let word = |class| match class {
        Class::Json => "Json",
        Class::Text => "Text",
        Class::Bytes => "Bytes",
        Class::Form => "Form",
        Class::Events => "Events",
        Class::JsonLines => "Lines",
        Class::Multipart => "Multipart",
    };
    let wanted: Vec<_> = groups
        .iter()
        .map(|group| {
            let alone = groups.iter().filter(|other| other.class == group.class).count() == 1;
            if alone || preference(&group.media_types[0]) == 0 {
                return word(group.class).to_owned();
            }
            let (_, sub) = group.media_types[0].split_once('/').unwrap_or_default();
            match name::pascal(sub.trim_end_matches("+json")) {
                name if name.is_empty() || name == "Star" => word(group.class).to_owned(),
                name => name,
            }
        })
        .collect();
    name::unique(&wanted, &mut name::Scope::default())
}

#[cfg(test)]
mod tests {
    use crate::ir::{Content, ContentKind, PartKind};
    use crate::lower::testing::{Lowered, document, operation, rule};

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
    fn a_text_keeps_the_rules_of_all_its_names() {
        let lowered = document(
            "
            openapi: 3.1.0
            info: { title: T, version: '1' }
            paths:
              /a:
                post:
                  requestBody: { content: { text/plain: { schema: { $ref: '#/components/schemas/B', pattern: ^a } } } }
                  responses: { '204': { description: Done. } }
            components:
              schemas:
                A: { type: string, minLength: 2 }
                B: { $ref: '#/components/schemas/A', maxLength: 9 }
            ",
        );
        let body = lowered.only().request_body.as_ref().expect("it has one");
        assert_eq!(
            line(&lowered, &body.contents[0]),
            "Text: text/plain text String(minLength 2, maxLength 9, pattern ^a)"
        );
    }

    #[test]
    fn contents_that_only_parameters_tell_apart_are_told() {
        let schema = |name: &str| format!("{{ schema: {{ type: object, properties: {{ {name}: {{}} }} }} }}");
        let (a, b) = (schema("a"), schema("b"));
        let (lines, problems) = contents(&format!(
            "{{ application/json;v=1: {b}, Application/Json; v=2: {a}, application/json; charset=utf-8: {a}, text/json: {b} }}"
        ));
        assert_eq!(lines, ["Json: application/json json SendBodyJson", "Json2: text/json json SendBodyJson2"]);
        assert_eq!(problems, ["W0314 /paths/~1/post/requestBody/content/application~1json;v=1"]);
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
    fn different_forms_of_a_body_are_variants() {
        let (lines, problems) = contents(
            "{ text/plain: { schema: { type: string } }, application/vnd.a+json: { schema: { properties: { a: {} } } }, application/json: { schema: { properties: { b: {} } } }, application/pdf: {}, image/png: {} }",
        );
        assert_eq!(
            lines,
            [
                "Json: application/json json SendBodyJson",
                "Text: text/plain text String",
                "VndA: application/vnd.a+json json SendBodyVndA",
                "Bytes: application/pdf image/png bytes",
            ]
        );
        assert_eq!(problems, Vec::<String>::new());
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

    #[test]
    fn structure_that_is_lost_is_told() {
        let (lines, problems) = contents("{ application/xml: { schema: { properties: { a: {} } } } }");
        assert_eq!(lines, ["Bytes: application/xml bytes"]);
        assert_eq!(problems, ["W0316 /paths/~1/post/requestBody/content/application~1xml"]);
    }
}
