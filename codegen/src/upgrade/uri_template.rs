//! Path templates in the syntax of RFC 6570 and of web frameworks, converted to OpenAPI's: `{;id}`,
//! `{?page,size}`, `{proxy+}`.

use serde_json::{Value, json};

/// A path whose expressions are plain names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plain {
    pub path: String,
    /// The names in `{?page,size}`: optional query parameters.
    pub in_query: Vec<String>,
}

/// An unsupported expression, and the reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unclear {
    pub expression: String,
    pub why: &'static str,
}

/// The meaning of an expression.
enum Meaning {
    /// Text of a template.
    Text(String),
    /// Query parameters with these names; no text.
    Query(Vec<String>),
    Unclear(&'static str),
}

const SEVERAL: &str = "a list in several pieces has no form in a path of OpenAPI";
const PREFIX: &str = "it is only a prefix of a value";

/// The path in OpenAPI syntax. Names of declared path parameters are kept.
pub(super) fn plain(template: &str, item: &Value) -> Result<Plain, Unclear> {
    let mut plain = Plain::default();
    let template = with_braces(template, item);
    let mut rest = template.as_str();
    while let Some((before, inside)) = rest.split_once('{') {
        let Some((expression, after)) = inside.split_once('}') else { break };
        plain.path.push_str(before);
        if expression.trim().is_empty() || is_declared(item, expression) {
            plain.path.extend(["{", expression, "}"]);
        } else {
            match meaning(expression, item) {
                Meaning::Text(text) => plain.path.push_str(&text),
                Meaning::Query(names) => plain.in_query.extend(names),
                Meaning::Unclear(why) => return Err(Unclear { expression: expression.to_owned(), why }),
            }
        }
        rest = after;
    }
    plain.path.push_str(rest);
    Ok(plain)
}

/// Decodes braces around a parameter: `/users/%7Bid%7D`.
fn with_braces(template: &str, item: &Value) -> String {
    let mut plain = String::new();
    let mut rest = template;
    while let Some((before, inside)) = rest.split_once("%7B") {
        plain.push_str(before);
        match inside.split_once("%7D") {
            Some((name, after)) if is_declared(item, name) => {
                plain.extend(["{", name, "}"]);
                rest = after;
            }
            _ => {
                plain.push_str("%7B");
                rest = inside;
            }
        }
    }
    plain + rest
}

fn meaning(expression: &str, item: &Value) -> Meaning {
    let first = expression.chars().next().filter(|sign| "+#./;?&".contains(*sign));
    let list = if first.is_some() { &expression[1..] } else { expression };
    match first {
        Some('?' | '&') => {
            let names = list.split(',').map(|name| name.split([':', '*']).next().unwrap_or_default().trim());
            Meaning::Query(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
        }
        // A fragment is never sent.
        Some('#') => Meaning::Text(String::new()),
        Some(operator) => expanded(operator, list, item),
        None if list.contains(',') && !list.contains(['(', '[']) => expanded('+', list, item),
        None => match name_of(list, item) {
            Ok(name) => Meaning::Text(format!("{{{name}}}")),
            Err(why) => Meaning::Unclear(why),
        },
    }
}

/// `{/b}` is `/{b}`, `{.c}` is `.{c}`, and `{;d}` is `;d={d}`, unless the parameter's style already implies
/// it.
fn expanded(operator: char, list: &str, item: &Value) -> Meaning {
    let mut text = String::new();
    for (index, name) in list.split(',').map(str::trim).enumerate() {
        if name.ends_with('*') && operator != '+' {
            return Meaning::Unclear(SEVERAL);
        }
        if name.contains(':') {
            return Meaning::Unclear(PREFIX);
        }
        let name = name.trim_end_matches('*');
        let style = style_of(item, name);
        match operator {
            ';' if style != Some("matrix") => text.extend([";", name, "="]),
            '.' if style != Some("label") => text.push('.'),
            '/' => text.push('/'),
            '+' if index > 0 => text.push(','),
            _ => {}
        }
        text.extend(["{", name, "}"]);
    }
    Meaning::Text(text)
}

/// `{proxy+}` of AWS, `{*path}`, `{id?}`, `{id:int}` and `{id=5}` of ASP.NET, `{id: [0-9]+}` of JAX-RS, `{name=items/*}` of
/// Google: the parameter's name.
fn name_of<'e>(expression: &'e str, item: &Value) -> Result<&'e str, &'static str> {
    let (name, rest) = expression.split_at(expression.find([':', '=']).unwrap_or(expression.len()));
    if rest.strip_prefix(':').is_some_and(|length| length.parse::<u16>().is_ok()) {
        return Err(PREFIX);
    }
    let name = name.trim();
    let bare = name.trim_start_matches('*').trim_end_matches(['+', '?']).trim();
    // `*` explodes a list, but `{path*}` also means the rest of a path.
    let bare = if bare.ends_with('*') && !is_list(item, bare.trim_end_matches('*')) {
        bare.trim_end_matches('*')
    } else {
        bare
    };
    match bare {
        "" => Err("it has no name"),
        bare if bare.ends_with('*') => Err(SEVERAL),
        bare => Ok(bare),
    }
}

/// Adds query parameters that only the path names to the path item.
pub(super) fn add_to_query(item: &mut Value, names: Vec<String>, is_swagger: bool) {
    for name in names {
        if parameters(item).any(|parameter| is(parameter, "name", &name) && is(parameter, "in", "query")) {
            continue;
        }
        let mut parameter = json!({"name": name, "in": "query"});
        if is_swagger {
            parameter["type"] = "string".into();
        } else {
            parameter["schema"] = json!({"type": "string"});
        }
        if let Some(list) = item.as_object_mut().map(|item| item.entry("parameters").or_insert_with(|| json!([])))
            && let Some(list) = list.as_array_mut()
        {
            list.push(parameter);
        }
    }
}

/// Whether a path item or one of its operations declares this path parameter.
fn is_declared(item: &Value, name: &str) -> bool {
    path_parameter(item, name).is_some()
}

fn style_of<'i>(item: &'i Value, name: &str) -> Option<&'i str> {
    path_parameter(item, name)?.get("style")?.as_str()
}

fn is_list(item: &Value, name: &str) -> bool {
    let Some(parameter) = path_parameter(item, name) else { return false };
    parameter.get("schema").unwrap_or(parameter).get("type").is_some_and(|ty| ty == "array")
}

fn path_parameter<'i>(item: &'i Value, name: &str) -> Option<&'i Value> {
    parameters(item).find(|parameter| is(parameter, "name", name) && is(parameter, "in", "path"))
}

fn parameters(item: &Value) -> impl Iterator<Item = &Value> {
    let operations = item.as_object().into_iter().flat_map(|members| members.values());
    let lists = std::iter::once(item).chain(operations).filter_map(|holder| holder.get("parameters")?.as_array());
    lists.flatten()
}

fn is(parameter: &Value, field: &str, text: &str) -> bool {
    parameter.get(field).is_some_and(|found| found == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_with_a_meaning_are_read() {
        for (template, expected) in [
            ("/files/{proxy+}", "/files/{proxy}"),
            ("/files/{*path}", "/files/{path}"),
            ("/files/{path*}", "/files/{path}"),
            ("/items/{id?}", "/items/{id}"),
            ("/items/{id:int}", "/items/{id}"),
            ("/items/{id: [0-9]{1}", "/items/{id}"),
            ("/items/{name=items/*}", "/items/{name}"),
            ("/a{/b,c}", "/a/{b}/{c}"),
            ("/c{.d}", "/c.{d}"),
            ("/e{;f,g}", "/e;f={f};g={g}"),
            ("/e/{+f}{#g}", "/e/{f}"),
            ("/e/{f,g}", "/e/{f},{g}"),
            ("/e/{f.g}/{@h}", "/e/{f.g}/{@h}"),
        ] {
            assert_eq!(plain(template, &json!({})).map(|plain| plain.path).as_deref(), Ok(expected), "{template}");
        }
        let plain = plain("/a{?page,size*}{&to}", &json!({}));
        let in_query = ["page", "size", "to"].map(str::to_owned).to_vec();
        assert_eq!(plain, Ok(Plain { path: "/a".to_owned(), in_query }));
    }

    #[test]
    fn what_is_declared_decides() {
        let parameter = |name: &str, more: Value| {
            let mut parameter = json!({"name": name, "in": "path"});
            parameter.as_object_mut().expect("it is one").extend(more.as_object().cloned().unwrap_or_default());
            json!({"get": {"parameters": [parameter]}})
        };
        let path = |template, item: &Value| plain(template, item).map(|plain| plain.path);
        assert_eq!(path("/{proxy+}", &parameter("proxy+", json!({}))).as_deref(), Ok("/{proxy+}"));
        assert_eq!(path("/a{;b}", &parameter("b", json!({"style": "matrix"}))).as_deref(), Ok("/a{b}"));
        assert_eq!(path("/a{.b}", &parameter("b", json!({"style": "label"}))).as_deref(), Ok("/a{b}"));
        assert_eq!(path("/a/%7Bb%7D/%7Bc%7D", &parameter("b", json!({}))).as_deref(), Ok("/a/{b}/%7Bc%7D"));
        assert!(path("/a/{b*}", &parameter("b", json!({"schema": {"type": "array"}}))).is_err());
    }

    #[test]
    fn a_form_without_one_meaning_is_refused() {
        for template in ["/a{/list*}", "/a{;list*}", "/a/{id:3}", "/a/{+id:3}"] {
            assert!(plain(template, &json!({})).is_err(), "{template}");
        }
    }
}
