//! Rules that are only checked in JSON, in values that are texts: parameters, forms and plain text.

use super::draft::Drafts;
use crate::diagnostic::Code;
use crate::ir::{ContentKind, ParameterEncoding, PartKind, Rule, Value};
use crate::location::Location;
use crate::lower::reporter::Reporter;

/// Reports JSON Schemas in such values, and removes those of the values themselves. Models keep theirs: they
/// may be JSON elsewhere.
pub(crate) fn report(reporter: &mut Reporter<'_>, api: &mut Drafts) {
    for model in api.models.iter().filter(|model| model.in_parameter) {
        if model.kind.has_rule(&is_schema) {
            report_at(reporter, &model.location);
        }
    }
    for operation in api.tags.iter_mut().chain(&mut api.webhooks).flat_map(|tag| &mut tag.operations) {
        let own = operation.location.clone();
        for parameter in &mut operation.parameters {
            if !matches!(parameter.encoding, ParameterEncoding::Json) {
                remove(reporter, &mut parameter.value, parameter.written.as_ref().unwrap_or(&own));
            }
        }
        for content in operation.request_body.iter_mut().flat_map(|body| &mut body.contents) {
            let place = own.member("requestBody");
            match &mut content.kind {
                ContentKind::Text(value) => remove(reporter, value, &place),
                ContentKind::Form(form) => remove(reporter, &mut form.value, &place),
                ContentKind::Multipart(multipart) => {
                    for part in multipart.parts.iter_mut().filter(|part| part.kind != PartKind::Json) {
                        remove(reporter, &mut part.field.value, &place);
                    }
                }
                ContentKind::Json(_)
                | ContentKind::Xml(_)
                | ContentKind::JsonLines(_)
                | ContentKind::Events(_)
                | ContentKind::Bytes => {}
            }
        }
    }
}

fn remove(reporter: &mut Reporter<'_>, value: &mut Value, place: &Location) {
    if value.has_rule(&is_schema) {
        value.visit_mut(&mut |value| value.rules.retain(|rule| !is_schema(rule)));
        report_at(reporter, place);
    }
}

fn is_schema(rule: &Rule) -> bool {
    matches!(rule, Rule::Schema(_))
}

fn report_at(reporter: &mut Reporter<'_>, place: &Location) {
    reporter
        .report(Code::UncheckedConstraint, place, "some of its rules are only checked in JSON")
        .label("not in a parameter, a form or plain text");
}
