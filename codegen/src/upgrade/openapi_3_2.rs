//! Features of OpenAPI 3.2 that are expressed differently in earlier versions.

use serde_json::{Map, Value, json};

use super::repairs::Repairs;
use super::version::Version;
use crate::diagnostic::Code;
use crate::location::Path;

type Members = Map<String, Value>;

/// The media type of a query string `a=1&b=2`.
const FORM: &str = "application/x-www-form-urlencoded";

/// `in: querystring`, and unencoded cookies.
pub(super) fn parameter(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if members.get("in").is_some_and(|place| place == "querystring") {
        if repairs.version < Version::OpenApi3_2 {
            repairs.repaired(&Path::Member(path, "in"), "`querystring` is OpenAPI 3.2, and is read as it is there");
        }
        query_string(members, repairs, path);
    }
    let is_cookie = |name: &str| members.get(name).is_some_and(|value| value == "cookie");
    if repairs.version >= Version::OpenApi3_2 && is_cookie("in") && is_cookie("style") {
        members.insert("style".to_owned(), "form".into());
        members.insert("x-style".to_owned(), "cookie".into());
    }
}

/// A form in the query string is an object whose members are parameters; anything else is the raw query.
fn query_string(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    if !members.contains_key("name") {
        repairs.repaired(path, "the query string has no `name`; `query` is taken");
        members.insert("name".to_owned(), "query".into());
    }
    members.insert("in".to_owned(), "query".into());
    let Some(content) = members.get_mut("content") else {
        repairs.repaired(path, "the query string has no `content`; any text is accepted");
        members.insert("content".to_owned(), json!({"text/plain": {}}));
        members.insert("x-in".to_owned(), "querystring".into());
        return;
    };
    if content.get(FORM).is_some_and(|form| form.get("encoding").is_some()) {
        let place = Path::Member(path, "content");
        let place = Path::Member(&place, FORM);
        repairs
            .report_name(Code::NotUsed, &Path::Member(&place, "encoding"), "`encoding` of a query string is not used")
            .help("describe its members as parameters in the query, each with a style");
    }
    match content.get_mut(FORM).map(|form| form.get_mut("schema").map_or_else(|| json!({}), Value::take)) {
        Some(schema) => {
            members.shift_remove("content");
            for (name, value) in [("style", "form".into()), ("explode", true.into()), ("schema", schema)] {
                members.insert(name.to_owned(), value);
            }
        }
        None => {
            members.insert("x-in".to_owned(), "querystring".into());
        }
    }
}
