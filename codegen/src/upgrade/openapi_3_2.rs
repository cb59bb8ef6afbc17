//! What OpenAPI 3.2 says that its predecessors have other words for.

use serde_json::{Map, Value};

use super::structure::Checker;
use crate::diagnostic::Code;
use crate::location::Path;

/// The media type in which a query string is `a=1&b=2`.
const FORM: &str = "application/x-www-form-urlencoded";

/// Parameters that are a whole query string, and cookies that are not encoded.
pub(super) fn parameter(members: &mut Map<String, Value>, checker: &mut Checker<'_>, path: &Path<'_>) {
    if members.get("in").is_some_and(|place| place == "querystring") {
        query_string(members, checker, path);
    }
    let is_cookie = |name: &str| members.get(name).is_some_and(|value| value == "cookie");
    if is_cookie("in") && is_cookie("style") {
        let location = checker.location(&Path::Member(path, "style"));
        checker
            .diagnostics
            .report(Code::NotUsed, &location, "the style `cookie` is read and written like `form`")
            .label("characters that cookies do not allow are percent-encoded");
        members.insert("style".to_owned(), "form".into());
    }
}

/// A form in the query string is an object whose members are parameters.
fn query_string(members: &mut Map<String, Value>, checker: &mut Checker<'_>, path: &Path<'_>) {
    let form = members.get_mut("content").and_then(|content| content.get_mut(FORM));
    let schema = form.and_then(|form| form.as_object_mut()?.shift_remove("schema"));
    let Some(schema) = schema else {
        let location = checker.location(&Path::Member(path, "in"));
        checker
            .diagnostics
            .report(Code::Unsupported, &location, "a query string that is no form")
            .help(format!("describe it in `content` as `{FORM}` with a `schema`"));
        members.insert("in".to_owned(), "query".into());
        return;
    };
    members.shift_remove("content");
    for (name, value) in
        [("in", "query".into()), ("style", "form".into()), ("explode", true.into()), ("schema", schema)]
    {
        members.insert(name.to_owned(), value);
    }
}
