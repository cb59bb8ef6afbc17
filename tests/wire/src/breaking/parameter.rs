//! Breaks the rules of parameters that consist of one text.

use std::fmt::Write as _;

use axum::Router;
use http::{HeaderName, HeaderValue, Uri};
use serde_json::{Value, json};
use specwright_exchange::{Broken, Direction, Document, Hidden, Named, Parameter, Reading, broken_rule, validator};

use super::{Refusal, send};
use crate::capture::Exchange;
use crate::report::Outcome;
use crate::scene::Problem;
use crate::{Operation, Stage};

/// Texts that few schemas allow.
const TEXTS: &[&str] = &["~not~this~", "1.37", "-1000000000000", "9000000000000", "true", "0", "-1", ""];

/// Breaks each rule of an operation's parameters once. `of_route` lists the operations of the same route,
/// those that cannot be distinguished from this one first.
pub(crate) async fn parameters<C>(
    stage: &Stage,
    router: &Router,
    operation: &Operation<C>,
    (same, of_route): (&[&'static str], &[Named<'_>]),
    outcome: &mut Outcome,
) {
    let Some(exchange) = outcome.valid.clone() else { return };
    let document = stage.lock().document();
    for parameter in document.parameters_of(operation.named()) {
        if parameter.within == "cookie" || is_negotiated(&parameter) || is_fixed(&parameter, operation.path) {
            continue;
        }
        // Without the parameter the request may match another operation.
        let tells = of_route.iter().any(|other| !document.has(*other, &parameter));
        // An exploded list or object without items is not written at all.
        let schema = document.follow(&parameter.schema);
        let is_one_text = is_one_text(&document, schema);
        if parameter.required
            && parameter.within != "path"
            && (parameter.within != "query" || is_one_text)
            && !tells
            && let Some(changed) = changed(&exchange, operation.path, &parameter, None)
        {
            let refusal = send(stage, router, &changed).await;
            if refusal.is_unauthorized() && document.is_key(operation.named(), &parameter) {
                // Without credentials the server reports no other violation.
                outcome.broken += 1;
            } else {
                judge(&refusal, &parameter, same, "required", "its absence", outcome);
            }
        }
        let Ok(validator) =
            validator(&document, &parameter.schema, Direction::Request, Reading::Strict, Hidden::Absent)
        else {
            continue;
        };
        let schema = document.follow(&parameter.schema);
        let Some(kind) = schema.get("type").and_then(Value::as_str) else { continue };
        let long = "x".repeat(3000);
        for text in TEXTS.iter().copied().chain([long.as_str()]) {
            let value = match (kind, serde_json::from_str::<Value>(text)) {
                ("integer" | "number", Ok(number)) if number.is_number() => number,
                ("boolean", Ok(truth)) if truth.is_boolean() => truth,
                ("integer" | "number" | "boolean" | "string", _) => json!(text),
                _ => continue,
            };
            // An empty text may mean an absent value.
            if text.is_empty() && (kind != "string" || parameter.within == "path") {
                continue;
            }
            let Some(Broken { rule, .. }) = broken_rule(&validator, &value) else { continue };
            if !outcome.rules.insert(format!("{} {} {rule}", parameter.within, parameter.name)) {
                continue;
            }
            if let Some(changed) = changed(&exchange, operation.path, &parameter, Some(text)) {
                let refusal = send(stage, router, &changed).await;
                judge(&refusal, &parameter, same, &rule, text, outcome);
            }
        }
    }
}

/// Whether neither the schema nor one of its variants is a list or an object.
fn is_one_text(document: &Document, schema: &Value) -> bool {
    let variants = ["oneOf", "anyOf"].iter().filter_map(|word| schema.get(*word)?.as_array()).flatten();
    [schema]
        .into_iter()
        .chain(variants.map(|variant| document.follow(variant)))
        .all(|schema| schema.get("type").is_none_or(|ty| ty != "array" && ty != "object"))
}

/// Whether the path contains its value, so that another value may select another operation.
fn is_fixed(parameter: &Parameter, path: &str) -> bool {
    let query = path.split('#').next().and_then(|path| path.split_once('?'));
    let mut pairs = query.into_iter().flat_map(|(_, query)| query.split('&'));
    parameter.within == "query" && pairs.any(|pair| pair.split('=').next() == Some(&parameter.name))
}

/// Whether the parameter is a header that belongs to HTTP, which OpenAPI ignores.
fn is_negotiated(parameter: &Parameter) -> bool {
    let names = ["accept", "content-type", "authorization", "content-length", "host"];
    parameter.within == "header" && names.iter().any(|name| parameter.name.eq_ignore_ascii_case(name))
}

/// Records what is wrong with the server's answer.
fn judge(
    refusal: &Refusal,
    parameter: &Parameter,
    same: &[&'static str],
    rule: &str,
    text: &str,
    outcome: &mut Outcome,
) {
    // The request may match another operation of the route, which refuses it in its own way.
    if refusal.arrived.is_some_and(|arrived| same.contains(&arrived)) {
        return;
    }
    let is_shared = parameter.within == "path" && !same.is_empty();
    outcome.broken += 1;
    let told = refusal
        .places
        .iter()
        .any(|(part, name)| *part == parameter.within && (is_shared || name.eq_ignore_ascii_case(&parameter.name)));
    if let Some(fault) = refusal.fault(told) {
        let text: String = text.chars().take(40).collect();
        let text = format!("{fault}; {} `{}` {rule} broken by {text:?}", parameter.within, parameter.name);
        let kind = if refusal.arrived.is_some() { "violation accepted" } else { "violation elsewhere" };
        outcome.problems.push((0, Problem { kind, text }));
    }
}

/// The request with another text, or none, for a parameter.
fn changed(exchange: &Exchange, template: &str, parameter: &Parameter, text: Option<&str>) -> Option<Exchange> {
    let mut changed = exchange.clone();
    let path = exchange.uri.path();
    let query = exchange.uri.query().unwrap_or_default();
    match parameter.within.as_str() {
        "query" => {
            let own = encoded(&parameter.name);
            let is_other = |pair: &&str| {
                let name = pair.split('=').next().unwrap_or_default();
                // The members of a `deepObject` stand in brackets.
                let is_own = [own.as_str(), &parameter.name].iter().any(|own| {
                    name.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '%']))
                });
                !pair.is_empty() && !is_own
            };
            let mut pairs: Vec<String> = query.split('&').filter(is_other).map(str::to_owned).collect();
            pairs.extend(text.map(|text| format!("{own}={}", encoded(text))));
            let query = pairs.join("&");
            changed.uri =
                Uri::try_from(if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }).ok()?;
            // An exploded object is written under the names of its members.
            if text.is_none() && changed.uri == exchange.uri {
                return None;
            }
        }
        "path" => {
            let hole = format!("{{{}}}", parameter.name);
            let index = template.split('/').position(|segment| segment == hole)?;
            let mut segments: Vec<String> = path.split('/').map(str::to_owned).collect();
            *segments.get_mut(index)? = encoded(text?);
            let path = segments.join("/");
            changed.uri = Uri::try_from(if query.is_empty() { path } else { format!("{path}?{query}") }).ok()?;
        }
        _ => {
            let name = HeaderName::try_from(&parameter.name).ok()?;
            match text {
                Some(text) => changed.headers.insert(name, HeaderValue::try_from(text).ok()?),
                None => changed.headers.remove(name),
            };
        }
    }
    Some(changed)
}

/// Percent-encodes everything except letters and digits.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
