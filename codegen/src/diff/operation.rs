//! Operations: how they are paired, and what is compared of each.

use super::change::{Party, Reached};
use super::deprecated::deprecated;
use super::rule::Rule;
use super::site::{Context, Direction, Site, pairs};
use super::{name, parameter, request, request_body, response, security, webhook};
use crate::ir::{Api, Operation, Tag};

/// Pairs old and new operations by operationId, else by method and path. Several operations may have
/// callbacks of one name; their location tells them apart.
pub(super) fn matched<'a>(old: &[&'a Operation], new: &[&'a Operation]) -> Vec<(&'a Operation, &'a Operation)> {
    let by_name = |before: &Operation, after: &Operation| before.name.wire == after.name.wire;
    let by_place = |before: &Operation, after: &Operation| {
        by_name(before, after) && before.location.pointer() == after.location.pointer()
    };
    let by_route = |before: &Operation, after: &Operation| route(before) == route(after);
    let mut pairs = pairs(old, new, &[&by_place, &by_name, &by_route]);
    pairs.sort_by_key(|(_, after)| new.iter().position(|other| std::ptr::eq(*other, *after)));
    pairs
}

fn route(operation: &Operation) -> (crate::ir::Method, String) {
    (operation.method.clone(), request::template(operation))
}

/// Compares every operation, or every webhook. `reached` names the pairs.
pub(super) fn compare(
    context: &mut Context<'_>,
    (old, new): (&[&Operation], &[&Operation]),
    pairs: &[(&Operation, &Operation)],
    reached: &[Reached],
) {
    for after in new {
        match pairs.iter().position(|(_, other)| std::ptr::eq(*other, *after)) {
            Some(index) => both(context, pairs[index].0, after, &reached[index..=index]),
            None => added(context, after),
        }
    }
    for before in old {
        if pairs.iter().all(|(other, _)| !std::ptr::eq(*other, *before)) {
            removed(context, before);
        }
    }
}

fn site<'a>(old: &'a Operation, new: &'a Operation, operations: &'a [Reached]) -> Site<'a> {
    let what = if new.webhook.is_some() { "the webhook" } else { "the operation" };
    let direction = Direction { request: true, response: true };
    Site { what: what.to_owned(), direction, old: &old.location, new: &new.location, operations }
}

fn both(context: &mut Context<'_>, old: &Operation, new: &Operation, operations: &[Reached]) {
    let site = site(old, new, operations);
    names(context, &site, old, new);
    deprecated(context, &site, old.deprecated, new.deprecated);
    if new.webhook.is_some() {
        webhook::compare(context, &site, old, new);
        return;
    }
    if route(old) != route(new) {
        let before = format!("{} {}{}", old.method.as_str(), old.prefix(), old.path);
        context
            .report(Rule::OperationMoved, &site, format!("the operation was `{before}`"))
            .breaking(Party::Callers, "clients call an operation that no longer exists");
    }
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
    api.tags.iter().chain(&api.webhooks).find(|tag| tag.operations.iter().any(|other| std::ptr::eq(other, operation)))
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
    let site = site(operation, operation, &reached);
    if operation.webhook.is_some() {
        webhook::added(context, &site);
        return;
    }
    context
        .report(Rule::OperationAdded, &site, "the operation is new")
        .harmless(Party::Callers, "clients need not call it")
        .breaking(Party::Servers, "the trait has a method that has to be implemented");
}

fn removed(context: &mut Context<'_>, operation: &Operation) {
    let reached = [Reached::new(operation)];
    let site = site(operation, operation, &reached);
    if operation.webhook.is_some() {
        webhook::removed(context, &site);
        return;
    }
    context
        .report_gone(Rule::OperationRemoved, &site, "the operation is gone")
        .breaking(Party::Callers, "clients call an operation that no longer exists")
        .breaking_code("the method is gone from the trait and from the client");
}
