//! What OpenAPI 3.0 says of an Object as a whole.

use serde_json::{Map, Value, json};

use crate::diagnostic::Code;
use crate::location::Path;
use crate::upgrade::openapi_3_2;
use crate::upgrade::structure::Checker;
use crate::upgrade::version::Version;

type Members = Map<String, Value>;

/// The fields that belong to the schema of a parameter or header; Swagger 2.0 had them beside its name.
const SCHEMA_FIELDS: &[&str] = &[
    "type",
    "format",
    "items",
    "enum",
    "default",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "nullable",
    "oneOf",
    "anyOf",
    "allOf",
];

/// A description without `paths` has components or webhooks, from OpenAPI 3.1 on.
pub(super) fn openapi(members: &mut Members, checker: &mut Checker<'_>, _: &Path<'_>) {
    let has_others = ["components", "webhooks"].iter().any(|name| members.contains_key(*name));
    if checker.version >= Version::OpenApi3_1 && has_others {
        members.entry("paths").or_insert_with(|| json!({}));
    }
}

/// Every path starts with a slash.
pub(in crate::upgrade) fn paths(members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    let without_slash = |name: &&String| !name.starts_with('/') && !name.starts_with("x-");
    for name in members.keys().filter(without_slash) {
        let location = checker.location(&Path::Member(path, name)).name();
        checker
            .diagnostics
            .report(Code::InvalidValue, &location, format!("the path `{name}` does not start with `/`"))
            .help(format!("call it `/{name}`"));
    }
    members.retain(|name, _| name.starts_with('/') || name.starts_with("x-"));
}

/// An operation without `responses` may answer anything.
pub(in crate::upgrade) fn operation(members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    if !members.contains_key("responses") {
        // Nothing is wrong with that from OpenAPI 3.1 on.
        if checker.version < Version::OpenApi3_1 {
            checker.repaired(path, "the operation has no `responses`, so it may answer anything");
        }
        members.insert("responses".to_owned(), json!({"default": {"description": "Any response."}}));
    }
}

/// The keys are statuses: `200`, `4XX`, `default`.
pub(in crate::upgrade) fn responses(members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    members.retain(|name, _| {
        let is_status = match name.as_bytes() {
            [b'1'..=b'5', b'X' | b'x', b'X' | b'x'] => true,
            [b'1'..=b'9', rest @ ..] => rest.len() == 2 && rest.iter().all(u8::is_ascii_digit),
            _ => name == "default" || name.starts_with("x-"),
        };
        if !is_status {
            let location = checker.location(&Path::Member(path, name)).name();
            checker
                .diagnostics
                .report(Code::InvalidValue, &location, format!("`{name}` is no status"))
                .help("write a status like `404`, a range like `4XX`, or `default`");
        }
        is_status
    });
}

/// `description` is required, but nothing depends on it.
pub(in crate::upgrade) fn response(members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    if !members.get("description").is_some_and(|text| text.is_string() || text.is_number()) {
        if checker.version < Version::OpenApi3_2 {
            checker.repaired(path, "the response has no `description`");
        }
        members.insert("description".to_owned(), Value::String(String::new()));
    }
}

/// The value stands in `schema` or in `content`; the style fits the place; a path parameter is required.
pub(in crate::upgrade) fn parameter(members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    if checker.version >= Version::OpenApi3_2 {
        openapi_3_2::parameter(members, checker, path);
    }
    value_description("parameter", members, checker, path);
    let (default, styles): (_, &[&str]) = match members.get("in").and_then(Value::as_str) {
        Some("path") => ("simple", &["simple", "label", "matrix"]),
        Some("query") => ("form", &["form", "spaceDelimited", "pipeDelimited", "deepObject"]),
        Some("header") => ("simple", &["simple"]),
        Some("cookie") => ("form", &["form"]),
        _ => return,
    };
    if let Some(style) = members.get("style").and_then(Value::as_str)
        && !styles.contains(&style)
    {
        let location = checker.location(&Path::Member(path, "style"));
        let place = members["in"].as_str().unwrap_or_default();
        checker
            .diagnostics
            .report(Code::InvalidValue, &location, format!("a {place} parameter cannot have the style `{style}`"))
            .help(format!("the styles of a {place} parameter are {}", styles.join(", ")));
        members.insert("style".to_owned(), default.into());
    }
    if members["in"] == "path" && members.get("required").is_none_or(|required| required == false) {
        checker.repaired(path, "a path parameter is always `required: true`");
        members.insert("required".to_owned(), Value::Bool(true));
    }
}

/// The value stands in `schema` or in `content`.
pub(in crate::upgrade) fn header(members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    value_description("header", members, checker, path);
    // Written by those who copied a parameter; they say nothing new.
    for name in ["name", "in"] {
        if members.shift_remove(name).is_some() {
            checker.repaired(&Path::Member(path, name), format!("a header has no `{name}`; it was left out"));
        }
    }
}

/// Sees to it that exactly one of `schema` and `content` is there.
fn value_description(kind: &str, members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    match (members.contains_key("schema"), members.get("content")) {
        (true, Some(_)) => {
            checker.repaired(path, format!("the {kind} has `schema` and `content`; `content` was left out"));
            members.shift_remove("content");
        }
        (false, Some(Value::Object(content))) if content.len() != 1 => {
            let location = checker.location(&Path::Member(path, "content"));
            checker.diagnostics.report(
                Code::InvalidValue,
                &location,
                format!("the `content` of a {kind} has exactly one media type, this has {}", content.len()),
            );
        }
        (true, None) | (false, Some(_)) => {}
        (false, None) => {
            let mut schema = take_schema(members);
            if schema.is_empty() {
                checker.repaired(path, format!("the {kind} has neither `schema` nor `content`, so it is a string"));
                schema.insert("type".to_owned(), "string".into());
            } else {
                checker.repaired(path, format!("the {kind} was read as if its `type` stood in a `schema`"));
            }
            members.insert("schema".to_owned(), Value::Object(schema));
        }
    }
}

/// What of a parameter or header belongs to its schema.
pub(in crate::upgrade) fn take_schema(members: &mut Members) -> Members {
    SCHEMA_FIELDS.iter().filter_map(|name| members.shift_remove_entry(*name)).collect()
}

/// A link names its operation in one of two ways.
pub(in crate::upgrade) fn link(members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    if members.contains_key("operationId") == members.contains_key("operationRef") {
        let location = checker.location(path);
        checker.diagnostics.report(Code::MissingField, &location, "a link has either `operationId` or `operationRef`");
    }
}

/// What is required depends on the type.
pub(in crate::upgrade) fn security_scheme(members: &mut Members, checker: &mut Checker<'_>, path: &Path<'_>) {
    let needed: &[&str] = match members.get("type").and_then(Value::as_str) {
        Some("apiKey") => &["name", "in"],
        Some("http") => &["scheme"],
        Some("oauth2") => &["flows"],
        Some("openIdConnect") => &["openIdConnectUrl"],
        _ => &[],
    };
    for name in needed.iter().filter(|name| !members.contains_key(**name)) {
        let location = checker.location(path);
        let kind = members["type"].as_str().unwrap_or_default();
        checker
            .diagnostics
            .report(Code::MissingField, &location, format!("`{name}` is missing"))
            .label(format!("a Security Scheme of type `{kind}` has one"));
    }
}
