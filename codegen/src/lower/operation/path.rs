//! Path templates: their segments, and the queries and fragments that some have.

use super::TaggedOperation;
use super::template::{query, without_parameters_in_query};
use crate::diagnostic::Code;
use crate::ir::{Operation, PathSegment};
use crate::location::{Location, decoded};
use crate::lower::models::Models;
use crate::lower::reporter::Reporter;

/// Drops the fragment of a path; reports it unless parameters of every operation imply it.
pub(crate) fn check_fragment(
    reporter: &mut Reporter<'_>,
    models: &Models<'_>,
    path: &str,
    location: &Location,
    operations: &[TaggedOperation],
) {
    let Some((_, fragment)) = path.split_once('#') else { return };
    if operations.iter().any(|found| !requires_all(models, &found.operation, fragment)) {
        reporter
            .report(Code::Repaired, &location.name(), "a path has a fragment, which is never sent")
            .label("read without it")
            .help("operations of one path and method need different queries, media types or paths");
    }
}

/// Whether the parameters require `Action=Count` and the like: they are required, with these values only.
fn requires_all(models: &Models<'_>, operation: &Operation, fragment: &str) -> bool {
    fragment.split('&').all(|piece| {
        let (name, value) = piece.split_once('=').map_or((piece, None), |(name, value)| (name, Some(value)));
        let mut parameters = operation.parameters.iter();
        parameters.any(|parameter| {
            let is_only =
                value.is_none_or(|value| models.texts_of(&parameter.value.ty).is_some_and(|texts| texts == [value]));
            parameter.name.wire == name && parameter.required && is_only
        })
    })
}

/// Splits the template: `/a/{b}-{c}` is `[[a], [{b}, -, {c}]]`.
pub(crate) fn path_segments(reporter: &mut Reporter<'_>, path: &str, location: &Location) -> Vec<Vec<PathSegment>> {
    if query(path).is_some() {
        let label = match query(&without_parameters_in_query(path)) {
            Some(_) => "sent unchanged and required with every request",
            None => "its parameters are treated as query parameters",
        };
        let message = "a path has a query, which belongs into `parameters`";
        reporter.report(Code::Repaired, &location.name(), message).label(label);
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.trim_start_matches('/').split('/').map(|segment| path_segment(reporter, segment, location)).collect()
}

fn path_segment(reporter: &mut Reporter<'_>, segment: &str, location: &Location) -> Vec<PathSegment> {
    let mut pieces = Vec::new();
    let mut rest = segment;
    while let Some((literal, tail)) = rest.split_once('{') {
        let Some((parameter, tail)) = tail.split_once('}') else { break };
        if !literal.is_empty() {
            pieces.push(PathSegment::Literal(meaning(literal)));
        }
        pieces.push(PathSegment::Parameter(parameter.to_owned()));
        rest = tail;
    }
    if rest.contains(['{', '}']) {
        reporter.report(Code::InvalidValue, &location.name(), "a brace in this path has no partner");
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(PathSegment::Literal(meaning(rest)));
    }
    pieces
}

/// The text percent-decoded, except for slashes: both spellings of a literal are one path.
fn meaning(literal: &str) -> String {
    let pieces = literal.split("%2F").flat_map(|piece| piece.split("%2f"));
    pieces.map(|piece| decoded(piece).into_owned()).collect::<Vec<_>>().join("%2F")
}
