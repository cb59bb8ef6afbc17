//! The shape of a request: its path template, and the struct that code builds it with.

use super::change::{Change, Party};
use super::rule::Rule;
use super::site::{Context, Site};
use crate::ir::{Api, Operation, PathSegment, ShortForm};

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

/// Records how a new optional field of the request struct affects code that builds requests.
pub(super) fn optional_field(change: &mut Change, api: &Api, old: &Operation) {
    match old.short_form(api) {
        ShortForm::Unit => change.harmless(Party::Rust, "`()` and literals that end with `..` leave it out"),
        ShortForm::Value => {
            change.harmless(Party::Rust, "the required value alone and literals that end with `..` leave it out")
        }
        ShortForm::New => change.harmless(Party::Rust, "`new` and literals that end with `..` leave it out"),
        ShortForm::None if !old.has_client_default(api) => {
            change.breaking(Party::Rust, "the request has neither `new` nor `Default`, so literals name every field")
        }
        ShortForm::None if has_optional_field(old) => {
            change.harmless(Party::Rust, "literals that end with `..Default::default()` leave it out")
        }
        ShortForm::None => {
            change.notice(Party::Rust, "a literal that names all fields has to end with `..Default::default()`")
        }
    };
}

/// Compares whether a parameter or the body is required.
pub(super) fn required(
    context: &mut Context<'_>,
    site: &Site<'_>,
    (old, new): (bool, bool),
    (made_optional, made_required): (Rule, Rule),
) {
    if new && !old {
        context
            .report(made_required, site, format!("{} is required now", site.what))
            .breaking(Party::Callers, "requests without it were accepted and are refused")
            .breaking_code("the field has another type");
    } else if old && !new {
        context
            .report(made_optional, site, format!("{} is optional now", site.what))
            .harmless(Party::Callers, "clients may leave it out")
            .breaking_code("the field has another type");
    }
}

fn has_optional_field(operation: &Operation) -> bool {
    operation.parameters.iter().any(|parameter| !parameter.required)
        || operation.request_body.as_ref().is_some_and(|body| !body.required)
}

/// Compares the order in which `new` takes the required parameters.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Operation, new: &Operation) {
    let has_new = old.short_form(context.old) == ShortForm::New && new.short_form(context.new) == ShortForm::New;
    let required = |operation: &'_ Operation| {
        let required = operation.parameters.iter().filter(|parameter| parameter.required);
        required.map(|parameter| parameter.name.rust.clone()).collect::<Vec<_>>()
    };
    let (before, mut after) = (required(old), required(new));
    let is_same = before == after;
    after.sort_by_key(|name| before.iter().position(|other| other == name));
    if has_new && !is_same && before == after {
        context
            .report(Rule::RustTypeChanged, site, "`new` of the request takes the parameters in another order")
            .breaking(Party::Rust, "calls of `new` have other arguments");
    }
}
