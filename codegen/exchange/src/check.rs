//! What is wrong with a request or a response.

mod form;
mod parts;
mod request;
mod response;

use serde_json::Value;

pub(crate) use form::form;
pub use request::Received;

use crate::document::Document;
use crate::fault::Fault;
use crate::frames;
use crate::media_type::{self, FORM};
use crate::rule::{Broken, broken_rules};
use crate::style::{NotInStyle, Reading, types};
use crate::values::Validator;
use crate::xml::is_xml;

/// The most violations that are reported for a message.
const MOST: usize = 50;

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
    /// Whether a whole parameter, header or body is missing.
    pub is_absent: bool,
}

impl Violation {
    pub(crate) fn of_body(pointer: &str, rule: &str, detail: &str) -> Self {
        let (pointer, rule, detail) = (pointer.to_owned(), rule.to_owned(), detail.to_owned());
        Self { part: "body", name: None, pointer, rule, detail, is_absent: false }
    }

    fn of_fault(Fault { pointer, rule, detail }: Fault) -> Self {
        Self::of_body(&pointer, rule, &detail)
    }

    /// What is required is missing.
    pub(crate) fn absent(part: &'static str, name: Option<&str>) -> Self {
        let (name, pointer) = (name.map(str::to_owned), String::new());
        let (rule, detail) = ("required".to_owned(), "is missing".to_owned());
        Self { part, name, pointer, rule, detail, is_absent: true }
    }
}

/// The status with which the generated server refuses a request: 422 if its body could be read, or else 400.
pub fn status_of_refusal(violations: &[Violation]) -> u16 {
    let body = || violations.iter().filter(|violation| violation.part == "body");
    if body().any(|violation| violation.rule == "mediaType") {
        return 415;
    }
    let is_read = body().all(|violation| violation.rule != "syntax");
    if is_read && body().any(|violation| !violation.is_absent) { 422 } else { 400 }
}

/// What is wrong with a body in XML.
fn in_xml(document: &Document, schema: &Value, validator: Option<&Validator>, body: &[u8]) -> Vec<Violation> {
    match document.from_xml(schema, body) {
        Err(fault) => vec![Violation::of_fault(fault)],
        Ok(reading) => {
            let faults = reading.faults.into_iter().map(Violation::of_fault);
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

pub(crate) fn broken(validator: Option<&Validator>, value: &Value) -> Vec<Broken> {
    match validator {
        Some(Ok(validator)) => broken_rules(validator, value),
        _ => Vec::new(),
    }
}

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
