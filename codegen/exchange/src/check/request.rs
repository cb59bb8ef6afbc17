//! What is wrong with a request.

use std::sync::Arc;

use http::HeaderMap;
use http::header::{CONTENT_TYPE, COOKIE};
use serde_json::Value;

use super::form::{faults_of_form, form};
use super::{MOST, Violation, best, broken, in_text, in_xml, of_broken, pairs};
use crate::document::Parameter;
use crate::duplicates::{TWICE, read_twice};
use crate::fault::Fault;
use crate::frames;
use crate::media_type::{self, FORM};
use crate::operation::{Credential, Operation};
use crate::place::Place;
use crate::schema::Hidden;
use crate::style::{NotInStyle, Reading, Style, Types, escaped, fault_of_texts, types, unescaped};
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
        let lines = self.headers.get_all(COOKIE).iter().filter_map(|line| str::from_utf8(line.as_bytes()).ok());
        let pairs = lines.flat_map(|line| line.split(';')).map(str::trim).filter(|pair| !pair.is_empty());
        let split = |pair: &str| {
            let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
            let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
            (name.to_owned(), text.to_owned())
        };
        pairs.map(split).collect()
    }

    /// The lines of a header; `None` if one is not UTF-8.
    fn lines(&self, name: &str) -> Option<Vec<&str>> {
        self.headers.get_all(name).iter().map(|line| str::from_utf8(line.as_bytes()).ok()).collect()
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
        let read = |reading: &Reading<'_>| Some(parameter.style.of_segment(&parameter.name, raw, reading));
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
        let of_parameter = |found| Violation { part, name: Some(parameter.name.clone()), ..found };
        let header = match part {
            "header" => parameter.name.as_str(),
            "cookie" => COOKIE.as_str(),
            _ => "",
        };
        let Some(lines) = received.lines(header) else {
            violations.push(of_parameter(Violation::of_body("", "type", "is not UTF-8")));
            return;
        };
        let others: Vec<&str> = operation.parameters.iter().map(|other| other.name.as_str()).collect();
        let Parameter { name, style, schema, .. } = parameter;
        let read = |reading: &Reading<'_>| -> Option<Result<Value, NotInStyle>> {
            match part {
                "path" => {
                    let (_, raw) = in_path.iter().find(|(found, _)| found == name)?;
                    Some(style.of_segment(name, raw, reading))
                }
                "header" => (!lines.is_empty()).then(|| style.of_line(&lines.join(","), reading)),
                "cookie" => style.of_pairs(name, &received.cookies(), &others, reading),
                "querystring" if style.is_json() => {
                    received.query.map(|query| serde_json::from_str(&unescaped(query)).map_err(|_| NotInStyle))
                }
                "querystring" if !types(&document, schema, 0).object => {
                    received.query.map(|query| Ok(reading.scalar(&unescaped(query), reading.types)))
                }
                "querystring" => Style::form().of_pairs(name, &received.pairs(), &[], reading),
                _ => style.of_pairs(name, &received.pairs(), &others, reading),
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
        let is_one = !(all.array || all.object) || style.is_json() && !style.is_json_list();
        let in_members = style.faults((&document, schema), name, &pairs, &others);
        let in_json = texts.iter().filter(|_| style.is_json()).flat_map(|raw| {
            let found = read_twice(&document, schema, unescaped(raw).as_bytes());
            found.into_iter().map(|pointer| Fault::new("duplicate", TWICE).below(&pointer))
        });
        let faults: Vec<_> = fault_of_texts(is_one, &texts).into_iter().chain(in_members).chain(in_json).collect();
        if !faults.is_empty() {
            violations.extend(faults.into_iter().map(Violation::of_fault).map(of_parameter));
            return;
        }
        let validator = self.validator(operation.named(), parameter.place(), Hidden::Ignored);
        let found = best(&document, schema, validator.as_deref(), read);
        let nothing = || style.nothing(all).filter(|_| parameter.required && matches!(part, "query" | "cookie"));
        match found.or_else(|| nothing().map(Ok)) {
            None if parameter.required => violations.push(Violation::absent(part, Some(name))),
            None => {}
            Some(Err(NotInStyle)) => {
                let detail = "is not written in the style of the parameter";
                violations.push(of_parameter(Violation::of_body("", "style", detail)));
            }
            Some(Ok(value)) => {
                let broken = of_broken(&broken(validator.as_deref(), &value));
                violations.extend(broken.into_iter().map(of_parameter));
            }
        }
    }

    fn check_body(&mut self, operation: &'a Operation, received: &Received<'_>, violations: &mut Vec<Violation>) {
        let Some(body) = &operation.body else { return };
        let mut add = |pointer: &str, rule: &str, detail: &str| {
            violations.push(Violation::of_body(pointer, rule, detail));
        };
        let content_type = received.content_type().unwrap_or_default();
        let media_type = if received.body.is_empty() {
            // Clients often omit the media type of an empty body.
            let only = body.media_types.first().filter(|_| body.required && body.media_types.len() == 1);
            let sent = match received.content_type() {
                Some(content_type) => media_type::best(&body.media_types, content_type),
                None => only,
            };
            let sent = sent.filter(|media_type| self.may_have_no_bytes(operation, media_type, body.required));
            let Some(media_type) = sent else {
                violations.extend(body.required.then(|| Violation::absent("body", None)));
                return;
            };
            media_type
        } else if let Some(media_type) = media_type::best(&body.media_types, content_type) {
            media_type
        } else {
            let detail = format!("is `{content_type}`, not {}", body.media_types.join(" or "));
            add("", "mediaType", &detail);
            return;
        };
        let named = operation.named();
        let document = Arc::clone(self.document());
        if media_type::is_multipart(media_type) {
            let found = self.check_parts(operation, Place::body(media_type), content_type, received.body);
            violations.extend(found);
            return;
        }
        if frames::is_stream(media_type) {
            let place = Place::json_body(media_type);
            for text in frames::texts(media_type, received.body) {
                violations.extend(self.check_json(operation, place, &text));
            }
            return;
        }
        let is_json = media_type::is_json(media_type);
        let is_text = media_type::is_text(media_type) && !is_xml(media_type);
        if !(is_json || is_text || is_xml(media_type) || media_type::essence(media_type) == FORM) {
            return;
        }
        let text = match media_type::in_utf8(content_type, received.body) {
            Ok(text) => text,
            Err(detail) => {
                add("", "mediaType", &detail);
                return;
            }
        };
        if is_json {
            violations.extend(self.check_json(operation, Place::json_body(media_type), &text));
            return;
        }
        let Some(described) = self.described(named, Place::body(media_type)) else { return };
        let schema = &described.schema;
        let place = document.body_place(named, media_type);
        if place.is_xml() {
            let validator = self.validator(named, place, Hidden::Ignored);
            for found in in_xml(&document, schema, validator.as_deref(), &text) {
                // A server reads names without their namespaces.
                if found.rule != NAMESPACE {
                    violations.push(found);
                }
            }
            return;
        }
        if is_xml(media_type) {
            return;
        }
        if std::str::from_utf8(&text).is_err() {
            add("", "syntax", "is not UTF-8");
            return;
        }
        if is_text && is_json_in_text(types(&document, schema, 0)) {
            violations.extend(self.check_json(operation, Place::body(media_type), &text));
            return;
        }
        let validator = self.validator(named, Place::body(media_type), Hidden::Ignored);
        if is_text {
            violations.extend(in_text(&document, schema, validator.as_deref(), &text));
            return;
        }
        let pairs = pairs(&String::from_utf8_lossy(&text));
        let styles = document.encodings(named, media_type);
        violations.extend(faults_of_form(&document, schema, &pairs, &styles).into_iter().map(Violation::of_fault));
        let members = form(&document, schema, &pairs, &styles);
        violations.extend(of_broken(&broken(validator.as_deref(), &Value::Object(members))));
    }

    fn check_json(&mut self, operation: &'a Operation, place: Place<'a>, text: &[u8]) -> Vec<Violation> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let value = match serde_json::from_slice::<Value>(text) {
            Ok(value) => value,
            Err(error) => return vec![Violation::of_body("", "syntax", &format!("is not JSON: {error}"))],
        };
        let document = Arc::clone(self.document());
        let described = self.described(operation.named(), place);
        let schema = described.as_ref().map_or(&Value::Bool(true), |described| &described.schema);
        let twice = read_twice(&document, schema, text);
        let twice = twice.iter().map(|pointer| Violation::of_body(pointer, "duplicate", TWICE));
        let validator = self.validator(operation.named(), place, Hidden::Ignored);
        twice.chain(of_broken(&broken(validator.as_deref(), &value))).collect()
    }

    /// Whether a body may be an empty file, text or form, which cannot be told from none.
    fn may_have_no_bytes(&mut self, operation: &'a Operation, media_type: &'a str, is_required: bool) -> bool {
        if frames::is_stream(media_type) {
            return true;
        }
        if media_type::essence(media_type) == FORM {
            return is_required;
        }
        let document = Arc::clone(self.document());
        let described = self.described(operation.named(), Place::body(media_type));
        let is_json = media_type::is_text(media_type)
            && described.is_some_and(|described| is_json_in_text(types(&document, &described.schema, 0)));
        !(is_json || media_type::is_json(media_type) || is_xml(media_type) || media_type::is_multipart(media_type))
    }
}

/// The bytes before some texts in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether a text has no strings, so that it is read as JSON.
fn is_json_in_text(types: Types) -> bool {
    !types.string && types != Types::default()
}
