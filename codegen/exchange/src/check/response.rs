//! What is wrong with a response.

use std::sync::Arc;

use http::HeaderMap;
use serde_json::Value;

use super::{MOST, Violation, best, broken, form, in_text, in_xml, is_checked, of_broken, pairs};
use crate::document::{Described, Document};
use crate::frames;
use crate::hidden::{self, WRITE_ONLY};
use crate::media_type;
use crate::operation::Operation;
use crate::place::Place;
use crate::schema::Hidden;
use crate::style::Reading;
use crate::values::{Validator, Values};
use crate::xml::is_xml;

impl<'a> Values<'a> {
    /// What is wrong with the headers of a response.
    pub fn check_headers(&mut self, operation: &'a Operation, status: u16, headers: &HeaderMap) -> Vec<Violation> {
        let mut violations = Vec::new();
        let document = Arc::clone(self.document());
        let Some(response) = operation.response(status) else { return violations };
        for header in &response.headers {
            let place = Place::answer_header(&response.key, &header.name);
            let lines = headers.get_all(header.name.as_str()).iter().filter_map(|line| line.to_str().ok());
            let lines: Vec<&str> = lines.collect();
            if lines.is_empty() {
                if header.required {
                    violations.push(Violation::absent("header", Some(&header.name)));
                }
                continue;
            }
            let Some(Described { schema, .. }) = document.describe(operation.named(), place) else { continue };
            let validator = self.settled(operation, place);
            let read = |reading: &Reading<'_>| Some(header.style.of_line(&lines.join(","), reading));
            if let Some(Ok(value)) = best(&document, &schema, validator.as_deref(), read) {
                let broken = of_broken(&broken(validator.as_deref(), &value));
                let of_header = |found| Violation { part: "header", name: Some(header.name.clone()), ..found };
                violations.extend(broken.into_iter().map(of_header));
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
        if media_type::is_multipart(media_type) {
            let mut violations = self.check_parts(operation, place, content_type, body);
            violations.truncate(MOST);
            return violations;
        }
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
    pub(super) fn settled(&mut self, operation: &'a Operation, place: Place<'a>) -> Option<Arc<Validator>> {
        if self.is_new(operation.named(), place, Hidden::Ignored) {
            self.make(operation.named(), place, &mut fastrand::Rng::with_seed(0));
        }
        self.validator(operation.named(), place, Hidden::Ignored)
    }
}

/// The write-only members of a response.
pub(super) fn write_only(
    document: &Document,
    schema: &Value,
    validator: Option<&Validator>,
    value: &Value,
) -> Vec<Violation> {
    let Some(Ok(validator)) = validator else { return Vec::new() };
    let found = hidden::found(document, schema, validator, value);
    found
        .iter()
        .map(|pointer| Violation::of_body(pointer, WRITE_ONLY, "is write-only, but it is in a response"))
        .collect()
}
