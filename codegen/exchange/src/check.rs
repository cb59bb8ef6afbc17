//! What is wrong with a request or a response.

use std::sync::Arc;

use http::HeaderMap;
use http::header::{CONTENT_TYPE, COOKIE};
use serde_json::{Map, Value};

use crate::document::{Described, Document, Parameter};
use crate::frames;
use crate::media_type::{self, FORM};
use crate::multipart;
use crate::operation::{Credential, Operation};
use crate::place::Place;
use crate::rule::{Broken, broken_rules};
use crate::schema::Hidden;
use crate::style::{Reading, Style, types, unescaped};
use crate::values::{Validator, Values};
use crate::write_only::{self, WRITE_ONLY};
use crate::xml::is_xml;

/// The most violations that are reported for a message.
const MOST: usize = 50;

/// The rule that a name has the namespace of the description.
const NAMESPACE: &str = "namespace";

/// One deviation of a message from the description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// `path`, `query`, `header`, `cookie`, `querystring` or `body`.
    pub part: &'static str,
    /// The name of the parameter or header.
    pub name: Option<String>,
    /// The JSON Pointer to the value in the parameter or body.
    pub pointer: String,
    /// The keyword that is broken, `mediaType`, or `syntax`.
    pub rule: String,
    /// What is wrong.
    pub detail: String,
}

impl Violation {
    fn of_body(pointer: &str, rule: &str, detail: &str) -> Self {
        let (pointer, rule, detail) = (pointer.to_owned(), rule.to_owned(), detail.to_owned());
        Self { part: "body", name: None, pointer, rule, detail }
    }
}

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
        let validator = self.validator(operation.named(), parameter.place(), Hidden::Ignored);
        match best(&document, schema, validator.as_deref(), read) {
            None if parameter.required => violations.push(violation("", "required", "is missing")),
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
            if body.required {
                add("", "required", "is missing");
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
                        for found in broken(validator.as_deref(), &value) {
                            add(&found.pointer, found.keyword(), &found.detail);
                        }
                    }
                }
            }
            return;
        }
        let document = Arc::clone(self.document());
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
        let members = match media_type::essence(media_type).as_str() {
            FORM => {
                let pairs = pairs(&String::from_utf8_lossy(received.body));
                let styles = document.encodings(named, media_type);
                form(&document, schema, &pairs, &styles)
            }
            _ if media_type::is_multipart(media_type) => {
                let declared = document.part_names(operation, media_type);
                // Parts without names are the bytes of the body to a server.
                if declared.is_empty() {
                    return;
                }
                let Some(parts) = multipart::read(content_type, received.body) else {
                    add("", "syntax", "is not a multipart body");
                    return;
                };
                let parts = document.parts_by_name(operation, media_type, &declared, parts);
                for part in &parts {
                    if let Some((rule, detail)) = document.fault_of_part(named, media_type, part) {
                        add(&format!("/{}", part.name), rule, &detail);
                    }
                }
                let styles = declared.iter();
                let styles: Vec<(String, Style)> = styles
                    .filter_map(|name| Some(((*name).to_owned(), document.part_style(named, media_type, name)?)))
                    .collect();
                multipart::members(&document, schema, parts, &styles)
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

    /// What is wrong with the headers of a response.
    pub fn check_headers(&mut self, operation: &'a Operation, status: u16, headers: &HeaderMap) -> Vec<Violation> {
        let mut violations = Vec::new();
        let document = Arc::clone(self.document());
        let Some(response) = operation.response(status) else { return violations };
        for header in &response.headers {
            let mut add = |pointer: &str, rule: &str, detail: &str| {
                violations.push(Violation {
                    part: "header",
                    name: Some(header.name.clone()),
                    pointer: pointer.to_owned(),
                    rule: rule.to_owned(),
                    detail: detail.to_owned(),
                });
            };
            let place = Place::answer_header(&response.key, &header.name);
            let lines = headers.get_all(header.name.as_str()).iter().filter_map(|line| line.to_str().ok());
            let lines: Vec<&str> = lines.collect();
            if lines.is_empty() {
                if header.required {
                    add("", "required", "is missing");
                }
                continue;
            }
            let Some(Described { schema, .. }) = document.describe(operation.named(), place) else { continue };
            let validator = self.settled(operation, place);
            let read = |reading: &Reading<'_>| Some(header.style.of_line(&lines.join(","), reading).ok_or(NotInStyle));
            if let Some(Ok(value)) = best(&document, &schema, validator.as_deref(), read) {
                for found in broken(validator.as_deref(), &value) {
                    add(&found.pointer, found.keyword(), &found.detail);
                }
            }
        }
        violations
    }

    /// What is wrong with the body of a response, whose media type is one that the operation describes.
    pub fn check_response_body(
        &mut self,
        operation: &'a Operation,
        status: u16,
        content_type: &str,
        body: &[u8],
    ) -> Vec<Violation> {
        let Some(response) = operation.response(status) else { return Vec::new() };
        let media_type = media_type::best(&response.media_types, content_type);
        let Some(media_type) = media_type else { return Vec::new() };
        let document = Arc::clone(self.document());
        let place = document.answer_place(operation.named(), &response.key, media_type);
        if place.is_xml() {
            let Some(described) = document.describe(operation.named(), place) else { return Vec::new() };
            let validator = self.settled(operation, place);
            let mut violations = in_xml(&document, &described.schema, validator.as_deref(), body);
            if document.has_write_only
                && let Ok(reading) = document.from_xml(&described.schema, body)
            {
                violations.extend(write_only(&document, &described.schema, validator.as_deref(), &reading.value));
            }
            violations.truncate(MOST);
            return violations;
        }
        let texts = if frames::is_stream(content_type) {
            frames::texts(content_type, body)
        } else if media_type::is_json(content_type) {
            vec![body.to_vec()]
        } else if is_checked(content_type) && !is_xml(content_type) {
            let Some(Described { schema, .. }) = document.describe(operation.named(), place) else { return Vec::new() };
            let validator = self.settled(operation, place);
            let mut violations = if media_type::is_text(content_type) {
                in_text(&document, &schema, validator.as_deref(), body)
            } else {
                let styles = document.answer_encodings(operation.named(), &response.key, media_type);
                let members = form(&document, &schema, &pairs(&String::from_utf8_lossy(body)), &styles);
                of_broken(&broken(validator.as_deref(), &Value::Object(members)))
            };
            violations.truncate(MOST);
            return violations;
        } else {
            return Vec::new();
        };
        let place = Place::json_answer(&response.key, media_type);
        let described = document.describe(operation.named(), place).filter(|_| document.has_write_only);
        let validator = self.settled(operation, place);
        let mut violations = Vec::new();
        for text in texts {
            match serde_json::from_slice::<Value>(&text) {
                Err(error) => violations.push(Violation::of_body("", "syntax", &format!("is not JSON: {error}"))),
                Ok(value) => {
                    violations.extend(of_broken(&broken(validator.as_deref(), &value)));
                    if let Some(Described { schema, .. }) = &described {
                        violations.extend(write_only(&document, schema, validator.as_deref(), &value));
                    }
                }
            }
        }
        violations.truncate(MOST);
        violations
    }

    /// The validator of a place of a response: as it was meant, if nothing is valid as it is written.
    fn settled(&mut self, operation: &'a Operation, place: Place<'a>) -> Option<Arc<Validator>> {
        if self.is_new(operation.named(), place, Hidden::Ignored) {
            self.make(operation.named(), place, &mut fastrand::Rng::with_seed(0));
        }
        self.validator(operation.named(), place, Hidden::Ignored)
    }
}

/// What is wrong with a body in XML.
fn in_xml(document: &Document, schema: &Value, validator: Option<&Validator>, body: &[u8]) -> Vec<Violation> {
    match document.from_xml(schema, body) {
        Err(fault) => vec![Violation::of_body(&fault.pointer, fault.rule, &fault.detail)],
        Ok(reading) => {
            let faults =
                reading.faults.iter().map(|fault| Violation::of_body(&fault.pointer, fault.rule, &fault.detail));
            faults.chain(of_broken(&broken(validator, &reading.value))).collect()
        }
    }
}

/// What is wrong with a body of text.
fn in_text(document: &Document, schema: &Value, validator: Option<&Validator>, body: &[u8]) -> Vec<Violation> {
    let text = String::from_utf8_lossy(body);
    let read = |reading: &Reading<'_>| Some(Ok(reading.scalar(&text, reading.types)));
    match best(document, schema, validator, read) {
        Some(Ok(value)) => of_broken(&broken(validator, &value)),
        Some(Err(NotInStyle)) | None => Vec::new(),
    }
}

fn of_broken(broken: &[Broken]) -> Vec<Violation> {
    broken.iter().map(|found| Violation::of_body(&found.pointer, found.keyword(), &found.detail)).collect()
}

/// Whether bodies of the media type are read as a whole and checked: JSON, XML, forms and text.
pub fn is_checked(media_type: &str) -> bool {
    let is_text = media_type::is_text(media_type) && media_type::is_unicode(media_type);
    let is_form = media_type::essence(media_type) == FORM;
    !frames::is_stream(media_type) && (media_type::is_json(media_type) || is_xml(media_type) || is_text || is_form)
}

/// The write-only members of a response.
fn write_only(document: &Document, schema: &Value, validator: Option<&Validator>, value: &Value) -> Vec<Violation> {
    let Some(Ok(validator)) = validator else { return Vec::new() };
    let found = write_only::found(document, schema, validator, value);
    found
        .iter()
        .map(|pointer| Violation::of_body(pointer, WRITE_ONLY, "is write-only, but it is in a response"))
        .collect()
}

fn broken(validator: Option<&Validator>, value: &Value) -> Vec<Broken> {
    match validator {
        Some(Ok(validator)) => broken_rules(validator, value),
        _ => Vec::new(),
    }
}

/// A text is not written in the style of its parameter.
#[derive(Clone, Copy)]
struct NotInStyle;

/// The valid value among those that a text may be, or the first of them; `None` if it is absent.
fn best(
    document: &Document,
    schema: &Value,
    validator: Option<&Validator>,
    read: impl Fn(&Reading<'_>) -> Option<Result<Value, NotInStyle>>,
) -> Option<Result<Value, NotInStyle>> {
    let all = types(document, schema, 0);
    let several: &[bool] = match (all.array || all.object, all.string || all.number || all.boolean) {
        (true, true) => &[false, true],
        (true, false) => &[true],
        (false, _) => &[false],
    };
    let mut first = None;
    for &several in several {
        for prefers_text in [false, true] {
            let reading = Reading { document, schema, types: all.as_several(several), prefers_text };
            let Some(found) = read(&reading) else { continue };
            if let (Ok(value), Some(Ok(validator))) = (&found, validator)
                && validator.is_valid(value)
            {
                return Some(found);
            }
            first.get_or_insert(found);
        }
    }
    first
}

/// The pairs of a query or form, percent-encoded.
fn pairs(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
            (name.replace('+', "%20"), text.replace('+', "%20"))
        })
        .collect()
}

/// The members of a form.
pub(crate) fn form(
    document: &Document,
    schema: &Value,
    pairs: &[(String, String)],
    styles: &[(String, Style)],
) -> Map<String, Value> {
    let mut names: Vec<String> = pairs.iter().map(|(name, _)| unescaped(name)).collect();
    names.extend(styles.iter().map(|(name, _)| name.clone()));
    names.sort();
    names.dedup();
    // The members of an exploded object are not those of the form.
    for (name, _) in styles.iter().filter(|(_, style)| style.is_spread()) {
        let object = crate::style::member(document, schema, name, 0);
        let mut spread = Vec::new();
        crate::style::properties(document, object, &mut spread, 0);
        names.retain(|name| !spread.contains(name));
    }
    let mut members = Map::new();
    for name in names {
        let member = crate::style::member(document, schema, &name, 0);
        let own =
            styles.iter().find(|(styled, _)| *styled == name).map_or_else(Style::form, |(_, style)| style.clone());
        // The name of a member of a `deepObject` is that of the object.
        if name.ends_with(']') && name.split('[').next().is_some_and(|of| styles.iter().any(|(styled, _)| styled == of))
        {
            continue;
        }
        let all = types(document, member, 0);
        let reading = Reading { document, schema: member, types: all, prefers_text: false };
        // Without a style, objects are written as JSON.
        if all.object && !all.array && !styles.iter().any(|(styled, _)| *styled == name) {
            let raw = pairs.iter().find(|(key, _)| unescaped(key) == name);
            members.extend(raw.map(|(_, raw)| (name, reading.scalar(&unescaped(raw), all))));
        } else if let Some(value) = own.of_pairs(&name, pairs, &[], &reading) {
            members.insert(name, value);
        }
    }
    members
}
