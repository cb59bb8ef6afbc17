//! Rules of Swagger 2.0 for whole objects.

use serde_json::{Map, Value, json};

use crate::diagnostic::Code;
use crate::location::Path;
use crate::upgrade::openapi_3_0::rules as rules_3_0;
use crate::upgrade::openapi_3_0::schema::schema as schema_3_0;
use crate::upgrade::repairs::Repairs;
use crate::upgrade::shape::article;

type Members = Map<String, Value>;

/// `host` has no scheme, `basePath` starts with a slash, `info` is required, media types contain a slash.
pub(super) fn swagger(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if let Some(Value::String(host)) = members.get("host")
        && let Some((scheme, rest)) = host.split_once("://")
    {
        let (scheme, rest) = (scheme.to_owned(), rest.trim_end_matches('/').to_owned());
        repairs.repaired(&Path::Member(path, "host"), format!("the host `{rest}` is meant"));
        members.entry("schemes").or_insert_with(|| json!([scheme]));
        members.insert("host".to_owned(), rest.into());
    }
    if let Some(Value::String(base)) = members.get("basePath")
        && !base.is_empty()
        && !base.starts_with('/')
    {
        let meant = format!("/{base}");
        repairs.repaired(&Path::Member(path, "basePath"), format!("`{meant}` is meant"));
        members.insert("basePath".to_owned(), meant.into());
    }
    members.entry("info").or_insert_with(|| json!({}));
    rules_3_0::without_paths(members, &["definitions"], repairs, path);
    media_types(members, repairs, path);
}

/// `responses` are required.
pub(super) fn operation(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    media_types(members, repairs, path);
    rules_3_0::operation(members, repairs, path);
}

/// A media type contains a slash.
fn media_types(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    for name in ["consumes", "produces"] {
        let Some(Value::Array(list)) = members.get_mut(name) else { continue };
        let list_path = Path::Member(path, name);
        let mut index = 0;
        list.retain(|value| {
            let is_none = value.as_str().is_some_and(|text| !text.contains('/'));
            if let (Some(text), true) = (value.as_str(), is_none) {
                let message = format!("`{text}` is left out: it is not a media type");
                repairs.report(Code::LeftOut, &Path::Item(&list_path, index), message);
            }
            index += 1;
            !is_none
        });
    }
}

/// A body has a `schema`, everything else a `type`; a path parameter is required.
pub(super) fn parameter(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    place(members, repairs, path);
    let place = members.get("in").and_then(Value::as_str).unwrap_or_default().to_owned();
    if place == "body" {
        body(members, repairs, path);
        return;
    }
    for word in ["schema", "deprecated", "nullable"] {
        if members.contains_key(word) {
            let at = Path::Member(path, word);
            repairs.repaired(&at, format!("`{word}` is a word of OpenAPI 3.0 here, and is read as it is there"));
        }
    }
    if !members.contains_key("schema") {
        value(&format!("the {place} parameter"), members, repairs, path);
    }
    if place != "formData" && members.get("type").is_some_and(|ty| ty == "file") {
        repairs.repaired(&Path::Member(path, "type"), "only a form has files; a string is meant");
        members.insert("type".to_owned(), "string".into());
    }
    if place == "path" && members.get("required").is_none_or(|required| required == false) {
        repairs.repaired(path, "a path parameter is always `required: true`");
        members.insert("required".to_owned(), Value::Bool(true));
    }
    let is_multi = members.get("collectionFormat").is_some_and(|format| format == "multi");
    if is_multi && (place == "path" || place == "header") {
        let at = Path::Member(path, "collectionFormat");
        repairs.repaired(&at, format!("a {place} parameter is there once, so `csv` is meant"));
        members.shift_remove("collectionFormat");
    }
}

/// `in: form`, `in: Query`
fn place(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let Some(Value::String(place)) = members.get("in") else { return };
    let meant = match place.to_ascii_lowercase().as_str() {
        "form" | "formdata" | "form-data" => "formData",
        "query" => "query",
        "header" => "header",
        "path" => "path",
        "body" => "body",
        _ => return,
    };
    if place != meant {
        repairs.repaired(&Path::Member(path, "in"), format!("`in: {meant}` is meant"));
        members.insert("in".to_owned(), meant.into());
    }
}

/// A body with `type` but without `schema` has that type.
fn body(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    members.shift_remove("collectionFormat");
    let siblings = rules_3_0::take_schema(members);
    let Some(schema) = members.get("schema") else {
        repairs.repaired(
            path,
            if siblings.is_empty() {
                "the body has no `schema`, so it may be anything"
            } else {
                "the body was read as if its `type` stood in a `schema`"
            },
        );
        members.insert("schema".to_owned(), Value::Object(siblings));
        return;
    };
    let says_more = |name: &&String| schema.get(*name) != siblings.get(*name);
    if let Some(name) = siblings.keys().find(says_more) {
        let at = Path::Member(path, name);
        repairs.repaired(&at, format!("`{name}` next to the `schema` of a body has no meaning; it was removed"));
    }
}

/// An item has a type.
pub(super) fn items(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    value("the item", members, repairs, path);
}

/// A header has a type. `name` and `in` are redundant.
pub(super) fn header(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    rules_3_0::without_place(members, repairs, path);
    if let Some(Value::Object(schema)) = members.get("schema").cloned()
        && !schema.contains_key("$ref")
    {
        repairs.repaired(&Path::Member(path, "schema"), "the keywords in `schema` belong next to it");
        members.shift_remove("schema");
        for (name, value) in schema {
            members.entry(name).or_insert(value);
        }
    }
    value("the header", members, repairs, path);
}

/// Ensures that there is a `type`, and repairs mistakes that schemas have, too.
fn value(what: &str, members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if !members.contains_key("type") {
        let meant = if members.contains_key("items") { "array" } else { "string" };
        repairs.repaired(path, format!("{what} has no `type`, so it is {} {meant}", article(meant)));
        members.insert("type".to_owned(), meant.into());
    }
    if let Some(Value::Array(types)) = members.get("type")
        && let several = types.iter().filter(|ty| *ty != "null").collect::<Vec<_>>()
        && several.len() > 1
    {
        let meant = if several.iter().any(|ty| *ty == "array") { "array" } else { "string" };
        repairs.repaired(&Path::Member(path, "type"), format!("of several types, `{meant}` is the one that holds all"));
        members.insert("type".to_owned(), meant.into());
    }
    if members.get("type").is_some_and(|ty| ty == "object") {
        repairs.repaired(&Path::Member(path, "type"), format!("{what} is a text; a string is meant"));
        members.insert("type".to_owned(), "string".into());
    }
    if members.get("type").is_some_and(|ty| ty == "array") && !members.contains_key("items") {
        repairs.repaired(path, "an array without `items` holds strings");
        members.insert("items".to_owned(), json!({"type": "string"}));
    }
    if members.get("type").is_some_and(|ty| ty != "file") {
        // `required` of a parameter is not the list of an object.
        let required = members.shift_remove("required");
        schema_3_0(members, repairs, path);
        members.extend(required.map(|required| ("required".to_owned(), required)));
    }
}

/// Requirements depend on the type.
pub(super) fn security_scheme(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if members.get("type").is_some_and(|ty| ty == "http")
        && members.get("scheme").is_some_and(|scheme| scheme == "basic")
    {
        repairs.repaired(&Path::Member(path, "type"), "`type: http` is OpenAPI 3.0; `type: basic` is meant");
        members.shift_remove("scheme");
        members.insert("type".to_owned(), "basic".into());
    }
    let needed: &[&str] = match members.get("type").and_then(Value::as_str) {
        Some("apiKey") => &["name", "in"],
        Some("oauth2") => {
            oauth2(members, repairs, path);
            match members["flow"].as_str() {
                Some("implicit") => &["authorizationUrl"],
                Some("accessCode") => &["authorizationUrl", "tokenUrl"],
                _ => &["tokenUrl"],
            }
        }
        _ => &[],
    };
    for name in needed.iter().filter(|name| !members.contains_key(**name)) {
        let kind = members["type"].as_str().unwrap_or_default();
        repairs
            .report(Code::MissingField, path, format!("`{name}` is missing"))
            .label(format!("a Security Scheme of type `{kind}` has one"));
    }
}

/// The URLs identify the flow; scopes are not used.
fn oauth2(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if !members.contains_key("flow") {
        let flow = match (members.contains_key("authorizationUrl"), members.contains_key("tokenUrl")) {
            (true, true) => "accessCode",
            (true, false) => "implicit",
            (false, _) => "application",
        };
        repairs.repaired(path, format!("the scheme has no `flow`; its URLs are those of `{flow}`"));
        members.insert("flow".to_owned(), flow.into());
    }
    if !members.contains_key("scopes") {
        repairs.repaired(path, "the scheme has no `scopes`, so there are none");
        members.insert("scopes".to_owned(), json!({}));
    }
}
