//! Rules of OpenAPI 3.0 for whole objects.

use foldhash::HashSet;
use serde_json::{Map, Value, json};

use crate::diagnostic::Code;
use crate::location::Path;
use crate::upgrade::openapi_3_2;
use crate::upgrade::repairs::Repairs;
use crate::upgrade::uri_template::{self, Plain, Unclear};
use crate::upgrade::version::Version;

type Members = Map<String, Value>;

/// The fields that belong to the schema of a parameter or header; in Swagger 2.0 they were siblings of its
/// name.
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

/// `info` is required; without `paths`, there must be components or webhooks.
pub(super) fn openapi(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    members.entry("info").or_insert_with(|| json!({}));
    without_paths(members, &["components", "webhooks"], repairs, path);
}

/// Without `paths` there may still be models.
pub(in crate::upgrade) fn without_paths(
    members: &mut Members,
    others: &[&str],
    repairs: &mut Repairs<'_>,
    path: &Path<'_>,
) {
    if members.contains_key("paths") {
        return;
    }
    let has_others = others.iter().any(|name| members.contains_key(*name));
    match (repairs.version < Version::OpenApi3_1, has_others) {
        // The field is required.
        (true, false) => return,
        (true, true) => repairs.repaired(path, "the description has no `paths`, so it has no operations"),
        (false, false) => {
            let message = "`paths`, `components` and `webhooks` are missing";
            repairs.report(Code::MissingField, path, message).label("every OpenAPI Object has at least one of them");
        }
        (false, true) => {}
    }
    members.insert("paths".to_owned(), json!({}));
}

/// `title` and `version` are required.
pub(in crate::upgrade) fn info(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    for (name, taken) in [("title", "Untitled"), ("version", "0.0.0")] {
        if members.get(name).is_none_or(Value::is_null) {
            repairs.repaired(path, format!("the description has no `{name}`; `{taken}` is taken"));
            members.insert(name.to_owned(), taken.into());
        }
    }
}

/// A body has `content`.
pub(in crate::upgrade) fn request_body(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    schema_as_content(members, repairs, path);
    if !members.contains_key("content") {
        repairs.repaired(path, "the body has no `content`, so it may be anything");
        members.insert("content".to_owned(), json!({}));
    }
}

/// `schema` next to `description`, as in Swagger 2.0.
fn schema_as_content(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if repairs.version > Version::Swagger2_0
        && !members.contains_key("content")
        && let Some(schema) = members.shift_remove("schema")
    {
        let message = "`schema` is a word of Swagger 2.0; `content: { application/json: { schema } }` is meant";
        repairs.repaired(&Path::Member(path, "schema"), message);
        members.insert("content".to_owned(), json!({"application/json": {"schema": schema}}));
    }
}

/// Every path starts with a slash, with a name in each pair of braces.
pub(in crate::upgrade) fn paths(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let items = std::mem::take(members);
    let names: HashSet<String> = items.keys().cloned().collect();
    for (name, mut item) in items {
        // Skip members that are not path items.
        if name.starts_with("x-") || !item.is_object() {
            members.insert(name, item);
            continue;
        }
        let at = Path::Member(path, &name);
        let is_relative = !name.starts_with('/');
        let is_no_path = is_relative && (name.contains("://") || name.starts_with(['#', '?', '*', '.']));
        let Plain { path: template, in_query } = match uri_template::plain(&name, &item) {
            Ok(plain) => plain,
            Err(Unclear { expression, why }) => {
                let message = format!("`{{{expression}}}` is a form of a path that OpenAPI does not have");
                let help = "write `{name}`, and declare the parameter with the `style` that is meant";
                repairs.report_name(Code::InvalidValue, &at, message).label(why).help(help);
                members.insert(name, item);
                continue;
            }
        };
        if !in_query.is_empty() {
            let names = in_query.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            repairs.repaired(&at, format!("read as optional query parameters: {names}"));
            uri_template::add_to_query(&mut item, in_query, repairs.version == Version::Swagger2_0);
        }
        let meant = if is_relative { format!("/{template}") } else { template };
        let is_taken = meant != name && (names.contains(&meant) || members.contains_key(&meant));
        if is_taken && ["{?", "{&", "{/", "{.", "{;", "{#"].iter().any(|form| name.contains(form)) {
            let message = format!("the path `{name}` is `{meant}`, which is described as well");
            repairs.report_name(Code::InvalidValue, &at, message).help("make one path item of the two");
            members.insert(name, item);
        } else if is_no_path || (is_relative && is_taken) {
            let message = format!("the path `{name}` does not start with `/`");
            repairs.report_name(Code::InvalidValue, &at, message).help(format!("call it `{meant}`"));
        } else if is_taken || meant == name {
            members.insert(name, item);
        } else {
            repairs.repaired(&at, format!("the path `{meant}` is meant"));
            repairs.renamed.add(&Path::Member(path, &meant).pointer(), &at.pointer());
            members.insert(meant, item);
        }
    }
}

/// An operation without `responses` may return anything.
pub(in crate::upgrade) fn operation(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if !members.contains_key("responses") {
        // OpenAPI 3.1 and later allow this.
        if repairs.version < Version::OpenApi3_1 {
            repairs.repaired(path, "the operation has no `responses`, so it may answer anything");
        }
        members.insert("responses".to_owned(), json!({"default": {"description": "Any response."}}));
    }
}

/// The keys are statuses: `200`, `4XX`, `default`.
pub(in crate::upgrade) fn responses(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    for (name, response) in std::mem::take(members) {
        let at = Path::Member(path, &name);
        let meant = match name.as_bytes() {
            [b'1'..=b'5', b'X' | b'x', b'X' | b'x'] => name.to_ascii_uppercase(),
            [b'1'..=b'9', rest @ ..] if rest.len() == 2 && rest.iter().all(u8::is_ascii_digit) => name.clone(),
            // `200 OK`
            [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9', b' ', ..] => name[..3].to_owned(),
            _ if name.starts_with("x-") => name.clone(),
            _ if name.eq_ignore_ascii_case("default") => "default".to_owned(),
            _ => {
                repairs
                    .report_name(Code::LeftOut, &at, format!("`{name}` is left out: it is not a status"))
                    .help("write a status like `404`, a range like `4XX`, or `default`");
                continue;
            }
        };
        if members.contains_key(&meant) {
            let message = format!("`{name}` is left out: `{meant}` is there already");
            repairs.report_name(Code::LeftOut, &at, message);
            continue;
        }
        // Accept `4xx` silently.
        if meant != name && !meant.ends_with("XX") {
            repairs.repaired(&at, format!("the status `{meant}` is meant"));
        }
        members.insert(meant, if response.is_null() { json!({}) } else { response });
    }
}

/// `description` is required, but unused.
pub(in crate::upgrade) fn response(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if !members.get("description").is_some_and(|text| text.is_string() || text.is_number()) {
        if repairs.version < Version::OpenApi3_2 {
            repairs.repaired(path, "the response has no `description`");
        }
        members.insert("description".to_owned(), Value::String(String::new()));
    }
    schema_as_content(members, repairs, path);
}

/// There is either `schema` or `content`; the style fits the location; a path parameter is required.
pub(in crate::upgrade) fn parameter(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    openapi_3_2::parameter(members, repairs, path);
    value_description("parameter", members, repairs, path);
    let Some(place) = members.get("in").and_then(Value::as_str).map(str::to_ascii_lowercase) else { return };
    let (default, styles): (_, &[&str]) = match place.as_str() {
        "path" => ("simple", &["simple", "label", "matrix"]),
        "query" => ("form", &["form", "spaceDelimited", "pipeDelimited", "deepObject"]),
        "header" => ("simple", &["simple"]),
        "cookie" => ("form", &["form"]),
        _ => return,
    };
    if let Some(style) = members.get("style").and_then(Value::as_str)
        && !styles.contains(&style)
    {
        let meant = styles.iter().find(|name| name.eq_ignore_ascii_case(style)).unwrap_or(&default);
        let message = format!("a {place} parameter cannot have the style `{style}`; `{meant}` is taken");
        repairs.repaired(&Path::Member(path, "style"), message);
        members.insert("style".to_owned(), (*meant).into());
    }
    if place == "path" && members.get("required").is_none_or(|required| required == false) {
        repairs.repaired(path, "a path parameter is always `required: true`");
        members.insert("required".to_owned(), Value::Bool(true));
    }
}

/// There is either `schema` or `content`.
pub(in crate::upgrade) fn header(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    value_description("header", members, repairs, path);
    // Copied from a parameter by mistake, without effect.
    without_place(members, repairs, path);
}

/// Removes the `name` and `in` of a header, which only parameters have.
pub(in crate::upgrade) fn without_place(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    for name in ["name", "in"] {
        if members.shift_remove(name).is_some() {
            repairs.repaired(&Path::Member(path, name), format!("a header has no `{name}`; it was left out"));
        }
    }
}

/// Ensures that exactly one of `schema` and `content` is present.
fn value_description(kind: &str, members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    match (members.contains_key("schema"), members.get("content")) {
        (true, Some(_)) => {
            repairs.repaired(path, format!("the {kind} has `schema` and `content`; `content` was left out"));
            members.shift_remove("content");
        }
        (false, Some(Value::Object(content))) if content.len() > 1 => {
            let first = content.iter().next().map(|(name, value)| (name.clone(), value.clone()));
            let message = format!("the `content` of a {kind} has exactly one media type; the first one counts");
            repairs.repaired(&Path::Member(path, "content"), message);
            members.insert("content".to_owned(), Value::Object(first.into_iter().collect()));
        }
        (false, Some(Value::Object(content))) if !content.is_empty() => {}
        (true, None) => {}
        (false, _) => {
            members.shift_remove("content");
            let mut schema = take_schema(members);
            if schema.is_empty() {
                repairs.repaired(path, format!("the {kind} has neither `schema` nor `content`, so it is a string"));
                schema.insert("type".to_owned(), "string".into());
            } else {
                repairs.repaired(path, format!("the {kind} was read as if its `type` stood in a `schema`"));
            }
            members.insert("schema".to_owned(), Value::Object(schema));
        }
    }
}

/// Takes the fields of a parameter or header that belong to its schema.
pub(in crate::upgrade) fn take_schema(members: &mut Members) -> Members {
    SCHEMA_FIELDS.iter().filter_map(|name| members.shift_remove_entry(*name)).collect()
}

/// A link names its operation in one of two ways.
pub(in crate::upgrade) fn link(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if members.contains_key("operationId") == members.contains_key("operationRef") {
        repairs.report(Code::MissingField, path, "a link has either `operationId` or `operationRef`");
    }
}

/// Infers a missing `type` from other fields; requirements depend on it.
pub(in crate::upgrade) fn security_scheme(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let ty = members.get("type").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    let meant = match ty.as_str() {
        "" if members.contains_key("scheme") => "http",
        "" if members.contains_key("flows") => "oauth2",
        "" if members.contains_key("openIdConnectUrl") => "openIdConnect",
        "" if members.contains_key("in") => "apiKey",
        // From Swagger 2.0, or the scheme of a `type: http`.
        "basic" | "bearer" | "jwt" => {
            let scheme = if ty == "basic" { "basic" } else { "bearer" };
            members.insert("scheme".to_owned(), scheme.into());
            "http"
        }
        "http" if !members.contains_key("scheme") && members.contains_key("bearerFormat") => {
            members.insert("scheme".to_owned(), "bearer".into());
            "http"
        }
        _ => ty.as_str(),
    };
    if meant != ty {
        repairs.repaired(path, format!("`type: {meant}` is meant"));
        members.insert("type".to_owned(), meant.into());
    }
    if let Some(Value::String(place)) = members.get("in")
        && !["query", "header", "cookie"].iter().any(|name| name.eq_ignore_ascii_case(place))
    {
        repairs.repaired(&Path::Member(path, "in"), format!("no credentials are in the `{place}`"));
        members.shift_remove("in");
    }
    let needed: &[&str] = match members.get("type").and_then(Value::as_str) {
        Some("apiKey") => &["name", "in"],
        Some("http") => &["scheme"],
        _ => &[],
    };
    for name in needed.iter().filter(|name| !members.contains_key(**name)) {
        repairs
            .report(Code::UnsupportedSecurityScheme, path, format!("`{name}` is missing"))
            .label("the authenticator has to look for it in the request, and the client sends nothing for it");
    }
}
