//! What is wrong with a request.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::HeaderMap;
use http::header::{CONTENT_TYPE, COOKIE};
use serde_json::Value;

use super::{
    MISSING, MOST, NotInStyle, Violation, best, broken, fault_of_texts, form, in_text, in_xml, is_checked, pairs,
};
use crate::document::{Document, Parameter};
use crate::duplicates::duplicates;
use crate::frames;
use crate::media_type::{self, FORM};
use crate::operation::{Credential, Operation};
use crate::place::Place;
use crate::schema::Hidden;
use crate::style::{Reading, Style, escaped, member, types, unescaped};
use crate::values::Values;
use crate::xml::is_xml;

/// The rule that a name has the namespace of the description.
const NAMESPACE: &str = "namespace";

/// A request as a server receives it.
#[derive(Clone, Copy, Debug)]
pub struct Received<'r> {
    /// The path, without the path of the server.
    pub path: &'r str,
    /// The query.
    pub query: Option<&'r str>,
    /// The headers.
    pub headers: &'r HeaderMap,
    /// The body.
    pub body: &'r [u8],
}

impl Received<'_> {
    /// The pairs of the query, percent-encoded.
    fn pairs(&self) -> Vec<(String, String)> {
        pairs(self.query.unwrap_or_default())
    }

    fn cookies(&self) -> Vec<(String, String)> {
        let lines = self.headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    fn content_type(&self) -> Option<&str> {
        self.headers.get(CONTENT_TYPE)?.to_str().ok()
    }
}

impl Operation {
    /// Whether the path is one of this operation.
    pub fn is_at(&self, path: &str) -> bool {
        self.template.find(path).is_some()
    }

    /// The order in which operations are tried.
    pub fn rank(&self) -> impl Ord {
        self.template.rank()
    }

    /// Whether the query has the pairs that are part of the operation's path.
    pub fn has_fixed(&self, query: Option<&str>) -> bool {
        let pairs = pairs(query.unwrap_or_default());
        self.fixed.iter().all(|fixed| pairs.contains(fixed))
    }

    /// Whether a request has credentials of one of the alternatives, whatever their values are.
    pub fn is_authorized(&self, received: &Received<'_>) -> bool {
        let has = |credential: &Credential| match credential {
            Credential::Authorization(scheme) => {
                let lines = received.headers.get_all("authorization").iter().filter_map(|line| line.to_str().ok());
                let mut schemes = lines.filter_map(|line| line.split_whitespace().next());
                schemes.any(|found| found.eq_ignore_ascii_case(scheme))
            }
            Credential::Header(name) => received.headers.contains_key(name.as_str()),
            Credential::Query(name) => received.pairs().iter().any(|(found, _)| unescaped(found) == *name),
            Credential::Cookie(name) => received.cookies().iter().any(|(found, _)| found == name),
            Credential::Other => true,
        };
        self.security.is_empty() || self.security.iter().any(|all| all.iter().all(has))
    }
}

impl<'a> Values<'a> {
    /// What is wrong with a request for an operation.
    pub fn check_request(&mut self, operation: &'a Operation, received: &Received<'_>) -> Vec<Violation> {
        let mut violations = Vec::new();
        let in_path = operation.template.find(received.path).unwrap_or_default();
        for parameter in &operation.parameters {
            self.check_parameter(operation, parameter, received, &in_path, &mut violations);
        }
        self.check_body(operation, received, &mut violations);
        violations.truncate(MOST);
        violations
    }

    /// The parameter that is the last segment of the operation's path, and its value in a path.
    pub fn last_in_path(&mut self, operation: &'a Operation, path: &str) -> Option<(&'a Parameter, Value)> {
        let parameter = operation.last_parameter()?;
        let (_, raw) = operation.template.find(path)?.into_iter().find(|(name, _)| *name == parameter.name)?;
        let document = Arc::clone(self.document());
        let validator = self.validator(operation.named(), parameter.place(), Hidden::Ignored);
        let read =
            |reading: &Reading<'_>| Some(parameter.style.of_segment(&parameter.name, raw, reading).ok_or(NotInStyle));
        Some((parameter, best(&document, &parameter.schema, validator.as_deref(), read)?.ok()?))
    }

    fn check_parameter(
        &mut self,
        operation: &'a Operation,
        parameter: &'a Parameter,
        received: &Received<'_>,
        in_path: &[(&str, &str)],
        violations: &mut Vec<Violation>,
    ) {
        let document = Arc::clone(self.document());
        let part = match parameter.within.as_str() {
            "path" => "path",
            "header" => "header",
            "cookie" => "cookie",
            "querystring" => "querystring",
            _ => "query",
        };
        let violation = |pointer: &str, rule: &str, detail: &str| Violation {
            part,
            name: Some(parameter.name.clone()),
            pointer: pointer.to_owned(),
            rule: rule.to_owned(),
            detail: detail.to_owned(),
        };
        let others: Vec<&str> = operation.parameters.iter().map(|other| other.name.as_str()).collect();
        let Parameter { name, style, schema, .. } = parameter;
        let read = |reading: &Reading<'_>| -> Option<Result<Value, NotInStyle>> {
            match part {
                "path" => {
                    let (_, raw) = in_path.iter().find(|(found, _)| found == name)?;
                    Some(style.of_segment(name, raw, reading).ok_or(NotInStyle))
                }
                "header" => {
                    let lines = received.headers.get_all(name.as_str()).iter();
                    let lines: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
                    (!lines.is_empty()).then(|| style.of_line(&lines.join(","), reading).ok_or(NotInStyle))
                }
                "cookie" => style.of_pairs(name, &received.cookies(), &others, reading).map(Ok),
                "querystring" if style.is_json() => {
                    received.query.map(|query| serde_json::from_str(&unescaped(query)).map_err(|_| NotInStyle))
                }
                "querystring" if !types(&document, schema, 0).object => {
                    received.query.map(|query| Ok(reading.scalar(&unescaped(query), reading.types)))
                }
                "querystring" => Style::form().of_pairs(name, &received.pairs(), &[], reading).map(Ok),
                _ => style.of_pairs(name, &received.pairs(), &others, reading).map(Ok),
            }
        };
        let pairs = match part {
            "path" => {
                let found = in_path.iter().find(|(found, _)| found == name);
                found.map(|(_, raw)| (escaped(name), (*raw).to_owned())).into_iter().collect()
            }
            "query" => received.pairs(),
            "cookie" => received.cookies(),
            _ => Vec::new(),
        };
        let texts: Vec<&str> =
            pairs.iter().filter(|(found, _)| unescaped(found) == *name).map(|(_, raw)| raw.as_str()).collect();
        let all = types(&document, schema, 0);
        if let Some((rule, detail)) = fault_of_texts(!(all.array || all.object), &texts) {
            violations.push(violation("", rule, &detail));
            return;
        }
        let validator = self.validator(operation.named(), parameter.place(), Hidden::Ignored);
        match best(&document, schema, validator.as_deref(), read) {
            None if parameter.required => violations.push(violation("", "required", MISSING)),
            None => {}
            Some(Err(NotInStyle)) => {
                violations.push(violation("", "style", "is not written in the style of the parameter"));
            }
            Some(Ok(value)) => {
                let broken = broken(validator.as_deref(), &value);
                violations.extend(broken.iter().map(|found| violation(&found.pointer, found.keyword(), &found.detail)));
            }
        }
    }

    fn check_body(&mut self, operation: &'a Operation, received: &Received<'_>, violations: &mut Vec<Violation>) {
        let Some(body) = &operation.body else { return };
        let mut add = |pointer: &str, rule: &str, detail: &str| {
            violations.push(Violation::of_body(pointer, rule, detail));
        };
        if received.body.is_empty() && (received.content_type().is_none() || !body.required) {
            if body.required && !may_have_no_bytes(&body.media_types) {
                add("", "required", MISSING);
            }
            return;
        }
        let content_type = received.content_type().unwrap_or("application/octet-stream");
        let Some(media_type) = media_type::best(&body.media_types, content_type) else {
            let detail = format!("is `{content_type}`, not {}", body.media_types.join(" or "));
            add("", "mediaType", &detail);
            return;
        };
        let named = operation.named();
        if frames::is_stream(media_type) || media_type::is_json(media_type) {
            let texts = if frames::is_stream(media_type) {
                frames::texts(media_type, received.body)
            } else {
                vec![received.body.to_vec()]
            };
            let validator = self.validator(named, Place::json_body(media_type), Hidden::Ignored);
            for text in texts {
                match serde_json::from_slice::<Value>(&text) {
                    Err(error) => add("", "syntax", &format!("is not JSON: {error}")),
                    Ok(value) => {
                        for pointer in duplicates(&text) {
                            add(&pointer, "duplicate", "is given twice");
                        }
                        for found in broken(validator.as_deref(), &value) {
                            add(&found.pointer, found.keyword(), &found.detail);
                        }
                    }
                }
            }
            return;
        }
        let document = Arc::clone(self.document());
        if media_type::is_multipart(media_type) {
            let found = self.check_parts(operation, Place::body(media_type), content_type, received.body);
            violations.extend(found);
            return;
        }
        let Some(described) = self.described(named, Place::body(media_type)) else { return };
        let schema = &described.schema;
        let place = document.body_place(named, media_type);
        if place.is_xml() {
            let validator = self.validator(named, place, Hidden::Ignored);
            for found in in_xml(&document, schema, validator.as_deref(), received.body) {
                // A server reads names without their namespaces.
                if found.rule != NAMESPACE {
                    violations.push(found);
                }
            }
            return;
        }
        let is_unicode = is_checked(media_type) && media_type::is_unicode(content_type);
        if is_unicode && std::str::from_utf8(received.body).is_err() {
            add("", "syntax", "is not UTF-8");
            return;
        }
        let members = match media_type::essence(media_type).as_str() {
            FORM => {
                let pairs = pairs(&String::from_utf8_lossy(received.body));
                let styles = document.encodings(named, media_type);
                for (name, rule, detail) in faults_of_form(&document, schema, &pairs) {
                    add(&format!("/{name}"), rule, &detail);
                }
                form(&document, schema, &pairs, &styles)
            }
            _ if media_type::is_text(media_type) && !is_xml(media_type) => {
                let validator = self.validator(named, Place::body(media_type), Hidden::Ignored);
                violations.extend(in_text(&document, schema, validator.as_deref(), received.body));
                return;
            }
            _ => return,
        };
        let validator = self.validator(named, Place::body(media_type), Hidden::Ignored);
        for found in broken(validator.as_deref(), &Value::Object(members)) {
            add(&found.pointer, found.keyword(), &found.detail);
        }
    }
}

/// What is wrong with the texts of the members of a form, with their names.
fn faults_of_form(
    document: &Document,
    schema: &Value,
    pairs: &[(String, String)],
) -> Vec<(String, &'static str, String)> {
    let names: BTreeSet<String> = pairs.iter().map(|(name, _)| unescaped(name)).collect();
    let fault = |name: String| {
        let own = pairs.iter().filter(|(found, _)| unescaped(found) == name);
        let texts: Vec<&str> = own.map(|(_, raw)| raw.as_str()).collect();
        let types = types(document, member(document, schema, &name, 0), 0);
        fault_of_texts(types.is_one(), &texts).map(|(rule, detail)| (name, rule, detail))
    };
    names.into_iter().filter_map(fault).collect()
}

/// Whether a body of these media types may be an empty file or an empty text, which cannot be told from none.
fn may_have_no_bytes(media_types: &[String]) -> bool {
    let [only] = media_types else { return false };
    let has_structure = media_type::is_json(only) || is_xml(only) || media_type::is_multipart(only);
    !(has_structure || media_type::essence(only) == FORM) || frames::is_stream(only)
}
