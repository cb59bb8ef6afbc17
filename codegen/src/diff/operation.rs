//! Operations: how they are paired, and what is compared of each.

use super::change::{Party, Reached};
use super::deprecated::deprecated;
use super::rule::Rule;
use super::site::{Context, Direction, Site};
use super::{name, parameter, request, request_body, response, security};
use crate::ir::{Api, Operation, Tag};

/// Pairs old and new operations by operationId, else by method and path. Several operations may have
/// callbacks of one name; their location tells them apart.
pub(super) fn matched<'a>(old: &'a Api, new: &'a Api) -> Vec<(&'a Operation, &'a Operation)> {
    matched_of(&old.operations().collect::<Vec<_>>(), &new.operations().collect::<Vec<_>>())
}

/// Pairs these operations.
pub(super) fn matched_of<'a>(old: &[&'a Operation], new: &[&'a Operation]) -> Vec<(&'a Operation, &'a Operation)> {
    let mut found: Vec<Option<&Operation>> = vec![None; new.len()];
    let by_name = |before: &Operation, after: &Operation| before.name.wire == after.name.wire;
    let by_place = |before: &Operation, after: &Operation| {
        by_name(before, after) && before.location.pointer() == after.location.pointer()
    };
    let by_route = |before: &Operation, after: &Operation| route(before) == route(after);
    for is_same in [&by_place as &dyn Fn(&Operation, &Operation) -> bool, &by_name, &by_route] {
        for (index, after) in new.iter().enumerate() {
            if found[index].is_none() {
                let is_free = |before: &Operation| found.iter().flatten().all(|taken| !std::ptr::eq(*taken, before));
                found[index] = old.iter().copied().find(|before| is_same(before, after) && is_free(before));
            }
        }
    }
    new.iter().zip(found).filter_map(|(after, before)| Some((before?, *after))).collect()
}

fn route(operation: &Operation) -> (crate::ir::Method, String) {
    (operation.method.clone(), request::template(operation))
}

/// Compares every operation. `reached` names the pairs.
pub(super) fn compare(context: &mut Context<'_>, pairs: &[(&Operation, &Operation)], reached: &[Reached]) {
    let (old, new) = (context.old, context.new);
    for after in new.operations() {
        match pairs.iter().position(|(_, other)| std::ptr::eq(*other, after)) {
            Some(index) => both(context, pairs[index].0, after, &reached[index..=index]),
            None => added(context, after),
        }
    }
    for before in old.operations() {
        if pairs.iter().all(|(other, _)| !std::ptr::eq(*other, before)) {
            removed(context, before);
        }
    }
}

fn site<'a>(old: &'a Operation, new: &'a Operation, operations: &'a [Reached]) -> Site<'a> {
    Site {
        what: "the operation".to_owned(),
        direction: Direction { request: true, response: true },
        old: &old.location,
        new: &new.location,
        operations,
    }
}

fn both(context: &mut Context<'_>, old: &Operation, new: &Operation, operations: &[Reached]) {
    let site = site(old, new, operations);
    if route(old) != route(new) {
        let before = format!("{} {}{}", old.method.text(), old.prefix(), old.path);
        context
            .report(Rule::OperationMoved, &site, format!("the operation was `{before}`"))
            .breaking(Party::Callers, "they call an operation that no longer exists");
    }
    names(context, &site, old, new);
    deprecated(context, &site, old.deprecated, new.deprecated);
    parameter::compare(context, &site, old, new);
    request_body::compare(context, &site, old, new);
    request::compare(context, &site, old, new);
    response::compare(context, &site, &old.responses, &new.responses);
    security::compare(context, &site, old, new);
    pagination(context, &site, old, new);
}

/// Compares the trait, the method and the request struct.
fn names(context: &mut Context<'_>, site: &Site<'_>, old: &Operation, new: &Operation) {
    name::compare(context, site, "the method", &old.method_rust, &new.method_rust);
    name::compare(context, site, "the request", &old.name.rust, &new.name.rust);
    if let (Some(before), Some(after)) = (tag(context.old, old), tag(context.new, new)) {
        name::compare(context, site, "the trait", &before.name.rust, &after.name.rust);
    }
}

fn tag<'a>(api: &'a Api, operation: &Operation) -> Option<&'a Tag> {
    api.tags.iter().find(|tag| tag.operations.iter().any(|other| std::ptr::eq(other, operation)))
}

fn pagination(context: &mut Context<'_>, site: &Site<'_>, old: &Operation, new: &Operation) {
    match (&old.pagination, &new.pagination) {
        (Some(_), None) => {
            context
                .report(Rule::PaginationRemoved, site, "the items can no longer be had as one stream")
                .breaking(Party::Rust, "`items()` and `pages()` of the client are gone");
        }
        (Some(before), Some(after)) if before != after => {
            context
                .report(Rule::PaginationChanged, site, "the pages follow each other in another way")
                .notice(Party::Rust, "a client of today asks for pages as before");
        }
        (None, Some(_)) => {
            context
                .report(Rule::PaginationAdded, site, "the items can be had as one stream")
                .harmless(Party::Rust, "`items()` and `pages()` of the client are new");
        }
        (Some(_), Some(_)) | (None, None) => {}
    }
}

fn added(context: &mut Context<'_>, operation: &Operation) {
    let reached = [Reached::new(operation)];
    context
        .report(Rule::OperationAdded, &site(operation, operation, &reached), "the operation is new")
        .harmless(Party::Callers, "they need not call it")
        .breaking(Party::Servers, "the trait has a method that has to be implemented");
}

fn removed(context: &mut Context<'_>, operation: &Operation) {
    let reached = [Reached::new(operation)];
    context
        .report_gone(Rule::OperationRemoved, &site(operation, operation, &reached), "the operation is gone")
        .breaking(Party::Callers, "they call an operation that no longer exists")
        .breaking_code("the method is gone from the trait and from the client");
}
