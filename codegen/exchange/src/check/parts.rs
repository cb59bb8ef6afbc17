//! What is wrong with a multipart body.

use std::sync::Arc;

use serde_json::Value;

use super::response::write_only;
use super::{Violation, broken, of_broken};
use crate::multipart;
use crate::operation::Operation;
use crate::place::{Direction, Place};
use crate::schema::Hidden;
use crate::style::{Style, member, types};
use crate::values::Values;

impl<'a> Values<'a> {
    /// What is wrong with a multipart body of a request or a response.
    pub(super) fn check_parts(
        &mut self,
        operation: &'a Operation,
        place: Place<'a>,
        content_type: &str,
        body: &[u8],
    ) -> Vec<Violation> {
        let named = operation.named();
        let document = Arc::clone(self.document());
        if let Some(positions) = document.positions(named, place) {
            return self.check_positions(operation, place, &positions, content_type, body);
        }
        let declared = document.part_names(operation, place);
        // Parts without names are the bytes of the body.
        if declared.is_empty() {
            return Vec::new();
        }
        let Some(parts) = multipart::read(content_type, body) else {
            return vec![Violation::of_body("", "syntax", "is not a multipart body")];
        };
        let Some(described) = self.described(named, place) else { return Vec::new() };
        let parts = document.parts_by_name(operation, place, &declared, parts);
        let mut violations = Vec::new();
        for &name in &declared {
            let is_one = types(&document, member(&document, &described.schema, name, 0), 0).is_one();
            if is_one && parts.iter().filter(|part| part.name == name).count() > 1 {
                violations.push(Violation::of_body(&format!("/{name}"), "duplicate", "is there more than once"));
            }
        }
        for part in &parts {
            if let Some((rule, detail)) = document.fault_of_part(named, place.part(&part.name), part) {
                violations.push(Violation::of_body(&format!("/{}", part.name), rule, &detail));
            }
        }
        let style = |name: &&str| Some(((*name).to_owned(), document.part_style(named, place.part(name))?));
        let styles: Vec<(String, Style)> = declared.iter().filter_map(style).collect();
        let members = Value::Object(multipart::members(&document, &described.schema, parts, &styles));
        violations.extend(self.check_whole(operation, place, &described.schema, &members));
        violations
    }

    /// What is wrong with the value of a multipart body.
    pub(crate) fn check_whole(
        &mut self,
        operation: &'a Operation,
        place: Place<'a>,
        schema: &Value,
        value: &Value,
    ) -> Vec<Violation> {
        let document = Arc::clone(self.document());
        let validator = match place.direction() {
            Direction::Request => self.validator(operation.named(), place, Hidden::Ignored),
            Direction::Response => self.settled(operation, place),
        };
        let mut violations = of_broken(&broken(validator.as_deref(), value));
        if place.direction() == Direction::Response && document.has_write_only {
            violations.extend(write_only(&document, schema, validator.as_deref(), value));
        }
        violations
    }
}
