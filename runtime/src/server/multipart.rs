//! Multipart bodies, read part by part while they arrive.

mod bounded;
mod field;
mod headless;

use std::borrow::Cow;
use std::sync::Arc;

use http::HeaderMap;

use super::incoming::Received;
use super::{Body, BodyReader, Common, Failure, Limits, media_type};
use crate::rule::{Rule, check_items};
use crate::text::quoted;
use crate::violation::{Location, Notes, Violation};
use bounded::{Between, OneByOne, failure};
pub use field::{Field, FilePart};

/// The media type that senders use when they know no better.
const UNKNOWN: &str = "application/octet-stream";

/// A multipart body, with the description of its parts.
#[derive(Debug)]
pub struct Multipart {
    parts: multer::Multipart<'static>,
    declared: &'static Parts,
    /// Number of arrivals of each part.
    seen: Vec<usize>,
    count: usize,
    limits: Limits,
    between: Arc<Between>,
}

/// The parts of a multipart body.
#[derive(Debug)]
pub struct Parts {
    /// The named parts.
    pub parts: &'static [Part],
    /// Rules for the number of distinct parts, or of all parts without names.
    pub rules: &'static [Rule<'static>],
    /// Other parts are refused.
    pub closed: bool,
    /// Parts have no names: each is found by its position, and only the last one may be repeated.
    pub positional: bool,
}

/// A named part.
#[derive(Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Whether it is required.
    pub required: bool,
    /// Whether it may be repeated.
    pub repeated: bool,
    /// Rules for the number of its occurrences.
    pub rules: &'static [Rule<'static>],
    /// Allowed media types and ranges; any if empty.
    pub content_types: &'static [&'static str],
    /// The headers that it requires.
    pub headers: &'static [&'static str],
}

impl BodyReader<'_, '_> {
    /// The parts of a form.
    pub fn multipart(self, parts: &'static Parts) -> Option<Multipart> {
        let Received::Stream(_, body) = std::mem::replace(&mut self.request.body, Received::Nothing) else {
            return self.missing();
        };
        match boundary(body.content_type().unwrap_or_default()) {
            Ok(boundary) => Some(Multipart::new(body, &boundary, parts, self.request.limits)),
            Err(_) => self.broken("has no boundary in its `Content-Type`"),
        }
    }
}

impl Parts {
    /// The index of the part at a position.
    fn at(&self, position: usize) -> Option<usize> {
        let last = self.parts.len().checked_sub(1)?;
        if position > last { self.parts[last].repeated.then_some(last) } else { Some(position) }
    }
}

impl Part {
    /// The violation of a part at a place with these headers, if any.
    fn violation(&self, place: &str, headers: &HeaderMap) -> Option<Violation> {
        let missing = self.headers.iter().find(|name| !headers.contains_key(**name));
        if let Some(name) = missing {
            return Some(violation(place, "required", format!("has no header `{name}`")));
        }
        Some(violation(place, "contentType", self.refuses(headers)?))
    }

    /// Why this media type is not allowed. A part without a media type, or with a generic one, is accepted.
    fn refuses(&self, headers: &HeaderMap) -> Option<String> {
        let said = headers.get(http::header::CONTENT_TYPE)?.to_str().unwrap_or_default();
        let essence = media_type::essence(said);
        let is_allowed = |range: &&str| media_type::covers(range, essence);
        if self.content_types.is_empty() || essence == UNKNOWN || self.content_types.iter().any(is_allowed) {
            return None;
        }
        Some(format!("is {}, not {}", quoted(essence), self.content_types.join(" or ")))
    }
}

impl Multipart {
    fn new(body: Body, boundary: &str, declared: &'static Parts, limits: Limits) -> Self {
        let between = Arc::<Between>::default();
        let stream = OneByOne::new(body, boundary, Arc::clone(&between));
        Self {
            parts: multer::Multipart::new(stream, boundary),
            declared,
            seen: vec![0; declared.parts.len()],
            count: 0,
            limits,
            between,
        }
    }

    /// The next named part; the previous one must have been dropped.
    pub async fn next(&mut self) -> Result<Option<Field>, Failure<Common>> {
        loop {
            self.between.begin();
            let found = self.parts.next_field().await;
            self.between.end();
            let Some(mut field) = found.map_err(failure)? else {
                return self.finish();
            };
            self.count += 1;
            if self.count > self.limits.parts {
                return Err(Failure::of(
                    http::StatusCode::PAYLOAD_TOO_LARGE,
                    format!("the body has more than {} parts", self.limits.parts),
                ));
            }
            self.keep(|rule| matches!(rule, Rule::MaxItems(_)))?;
            let (place, index) = self.place_of(&field);
            match index {
                Some(index) => {
                    let part = &self.declared.parts[index];
                    self.seen[index] += 1;
                    if self.seen[index] > 1 && !part.repeated {
                        return Err(refusal(&place, "duplicate", "is there more than once"));
                    }
                    if self.seen[index] == 1 {
                        self.keep(|rule| matches!(rule, Rule::MaxProperties(_)))?;
                    }
                    if let Some(violation) = part.violation(&place, field.headers()) {
                        return Err(Failure::invalid(vec![violation]));
                    }
                    return Ok(Some(Field::new(part.name, place, field, Arc::clone(&self.between), self.limits)));
                }
                None if self.declared.closed => return Err(refusal(&place, "unknown", "is not a part of this body")),
                None => while field.chunk().await.map_err(failure)?.is_some() {},
            }
        }
    }

    /// The name or position of a part, and the index of its description.
    fn place_of(&self, field: &multer::Field<'_>) -> (Cow<'static, str>, Option<usize>) {
        if self.declared.positional {
            let position = self.count - 1;
            return (Cow::Owned(position.to_string()), self.declared.at(position));
        }
        let name = self.name_of(field);
        match self.declared.parts.iter().position(|part| part.name == name) {
            Some(index) => (Cow::Borrowed(self.declared.parts[index].name), Some(index)),
            None => (Cow::Owned(name.into_owned()), None),
        }
    }

    /// The name of a part: that of `Content-Disposition`, or else its `Content-ID`, or else that of the first part that has
    /// its media type and has not arrived.
    fn name_of<'f>(&self, field: &'f multer::Field<'_>) -> Cow<'f, str> {
        if let Some(name) = field.name() {
            return unquoted(name);
        }
        let header = |name: &str| field.headers().get(name)?.to_str().ok();
        let id = header("content-id").unwrap_or_default().trim().trim_start_matches('<').trim_end_matches('>');
        let parts = self.declared.parts;
        if parts.iter().any(|part| part.name == id) {
            return Cow::Borrowed(id);
        }
        let essence = media_type::essence(header("content-type").unwrap_or_default());
        let mut fitting = std::iter::zip(parts, &self.seen).filter(|(part, seen)| {
            let is_free = **seen == 0 || part.repeated;
            is_free && part.content_types.iter().any(|range| media_type::covers(range, essence))
        });
        Cow::Borrowed(fitting.next().map_or(id, |(part, _)| part.name))
    }

    fn finish(&self) -> Result<Option<Field>, Failure<Common>> {
        let mut violations = Vec::new();
        for (part, seen) in std::iter::zip(self.declared.parts, &self.seen) {
            if *seen > 0 {
                let mut notes = Notes::new(Location::Body);
                check_items(*seen, part.rules, &mut notes);
                violations.extend(inside(part.name, notes.into_violations()));
            } else if part.required {
                violations.push(violation(part.name, "required", "is missing"));
            }
        }
        if !violations.is_empty() {
            return Err(Failure::invalid(violations));
        }
        self.keep(|_| true)?;
        Ok(None)
    }

    /// Refuses a number of parts that violates one of these rules.
    fn keep(&self, applies: impl Fn(&Rule<'_>) -> bool) -> Result<(), Failure<Common>> {
        let distinct = self.seen.iter().filter(|seen| **seen > 0).count() as u64;
        let all = self.count as u64;
        let broken = self.declared.rules.iter().filter(|rule| applies(rule)).find_map(|rule| match rule {
            Rule::MinProperties(least) if distinct < *least => Some(("minProperties", format!("at least {least}"))),
            Rule::MaxProperties(most) if distinct > *most => Some(("maxProperties", format!("at most {most}"))),
            Rule::MinItems(least) if all < *least => Some(("minItems", format!("at least {least}"))),
            Rule::MaxItems(most) if all > *most => Some(("maxItems", format!("at most {most}"))),
            _ => None,
        });
        let Some((code, bound)) = broken else { return Ok(()) };
        let detail = if self.declared.positional {
            format!("has {all} parts, {bound}")
        } else {
            let names: Vec<_> = self.declared.parts.iter().map(|part| quoted(part.name)).collect();
            format!("has {distinct} of the parts {}, {bound}", names.join(", "))
        };
        let violation = Violation { location: Location::Body, pointer: String::new(), code, detail };
        Err(Failure::invalid(vec![violation]))
    }
}

/// Unquotes a name. The HTML standard escapes exactly these three characters, so a literal `%22` cannot be
/// told from a quotation mark.
fn unquoted(name: &str) -> Cow<'_, str> {
    if !name.contains('%') {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"))
}

/// Violations of a part's value, with pointers from the whole body.
fn inside(name: &str, violations: impl IntoIterator<Item = Violation>) -> Vec<Violation> {
    let here = pointer(name);
    violations.into_iter().map(|found| Violation { pointer: format!("{here}{}", found.pointer), ..found }).collect()
}

fn refusal(name: &str, code: &'static str, detail: impl Into<String>) -> Failure<Common> {
    Failure::invalid(vec![violation(name, code, detail)])
}

fn violation(name: &str, code: &'static str, detail: impl Into<String>) -> Violation {
    Violation { location: Location::Body, pointer: pointer(name), code, detail: detail.into() }
}

fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The boundary of a multipart media type, including `multipart/related`.
fn boundary(content_type: &str) -> multer::Result<String> {
    let parameters = content_type.split_once(';').map_or("", |(_, parameters)| parameters);
    multer::parse_boundary(format!("multipart/form-data;{parameters}"))
}
