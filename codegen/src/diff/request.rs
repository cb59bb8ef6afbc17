//! The shape of a request: its path template, and the struct that code builds it with.

use super::change::{Change, Party};
use crate::ir::{Api, Operation, PathSegment};

/// The path without the names of its parameters, which are not sent.
pub(super) fn template(operation: &Operation) -> String {
    let mut text = operation.prefix();
    for segment in &operation.segments {
        text.push('/');
        for piece in segment {
            match piece {
                PathSegment::Literal(literal) => text.push_str(literal),
                PathSegment::Parameter(_) => text.push_str("{}"),
            }
        }
    }
    if let Some((_, query)) = operation.path.split_once('?') {
        text.push('?');
        text.push_str(query);
    }
    text
}

/// The parameters of the path, in order.
pub(super) fn placeholders(operation: &Operation) -> Vec<&str> {
    let pieces = operation.segments.iter().flatten();
    pieces
        .filter_map(|piece| match piece {
            PathSegment::Parameter(name) => Some(name.as_str()),
            PathSegment::Literal(_) => None,
        })
        .collect()
}

/// Whether requests can be built without naming every field, so that new fields do not break code.
pub(super) fn literals_are_open(operation: &Operation) -> bool {
    operation.has_new() || operation.default && !operation.takes_nothing()
}

/// Records how a new optional field of the request struct affects code that builds requests.
pub(super) fn optional_field(change: &mut Change, api: &Api, old: &Operation) {
    if old.takes_nothing() {
        change.breaking(Party::Rust, "the client's method took no request, and takes one now");
    } else if old.argument(api).is_some() {
        change.breaking(Party::Rust, "the client's method took the only parameter, and takes a request now");
    } else if literals_are_open(old) {
        change.harmless(Party::Rust, "`new` and literals that end with `..` leave it out");
    } else {
        change.breaking(Party::Rust, "the request had neither `new` nor `Default`, so that literals name every field");
    }
}
