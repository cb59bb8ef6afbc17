//! Members of objects, and parts of multipart bodies.

use super::super::change::Change;
use super::super::change::Level::{Breaking, Harmless};
use super::super::change::Party::{self, Callers, Servers};
use super::super::rule::Rule;
use super::super::site::{Context, Direction, Site};
use super::super::{name, value};
use crate::diff::deprecated::deprecated;
use crate::ir::{Field, Presence};

/// The members of an object.
pub(in super::super) struct Members<'a> {
    pub(in super::super) fields: Vec<&'a Field>,
    /// Struct literals end with `..`, so new fields do not break them.
    pub(in super::super) literals_are_open: bool,
    /// Unknown members are refused.
    pub(in super::super) closed: bool,
}

/// Compares all members; `owner` is what they are members of.
pub(in super::super) fn compare(
    context: &mut Context<'_>,
    site: &Site<'_>,
    owner: &str,
    old: &Members<'_>,
    new: &Members<'_>,
) {
    for after in &new.fields {
        let before = old.fields.iter().find(|before| before.name.wire == after.name.wire);
        let what = format!("`{owner}.{}`", after.name.wire);
        let places = (before.and_then(|before| before.location.as_ref()), after.location.as_ref());
        let site = site.part(what, places.0, places.1);
        match before {
            Some(before) => both(context, &site, before, after),
            None => added(context, &site, after, old),
        }
    }
    for before in &old.fields {
        if new.fields.iter().all(|after| after.name.wire != before.name.wire) {
            let site = site.part(format!("`{owner}.{}`", before.name.wire), before.location.as_ref(), None);
            removed(context, &site, before, new);
        }
    }
}

fn both(context: &mut Context<'_>, site: &Site<'_>, old: &Field, new: &Field) {
    let before = travels(site.direction, old);
    let after = travels(site.direction, new);
    moved(context, site, before, after);
    let site = Site {
        direction: Direction { request: before.request && after.request, response: before.response && after.response },
        ..site.clone()
    };
    presence(context, &site, old, new);
    if !value::constant(context, &site, old.constant.as_ref(), new.constant.as_ref()) {
        value::present(context, &site, &old.value, &new.value);
    }
    if old.is_required() == new.is_required() {
        value::default(context, &site, (old.default.as_ref(), &old.value), (new.default.as_ref(), &new.value));
    }
    deprecated(context, &site, old.deprecated, new.deprecated);
    name::compare(context, &site, "the field", &old.name.rust, &new.name.rust);
}

/// The directions in which the member is sent.
fn travels(direction: Direction, field: &Field) -> Direction {
    Direction { request: direction.request && !field.read_only, response: direction.response && !field.write_only }
}

/// `readOnly` and `writeOnly`
fn moved(context: &mut Context<'_>, site: &Site<'_>, old: Direction, new: Direction) {
    let what = &site.what;
    if old.request && !new.request {
        context
            .report(Rule::MemberMadeReadOnly, site, format!("{what} is not read from requests any more"))
            .breaking(Callers, "values in it are lost")
            .notice(Servers, "requests do not have it any more");
    } else if new.request && !old.request {
        context
            .report(Rule::MemberMadeWritable, site, format!("{what} is read from requests now"))
            .harmless(Callers, "clients may send it")
            .notice(Servers, "requests may have it");
    }
    if old.response && !new.response {
        context
            .report(Rule::MemberMadeWriteOnly, site, format!("{what} is not part of responses any more"))
            .breaking(Callers, "clients do not find it in answers");
    } else if new.response && !old.response {
        context
            .report(Rule::MemberMadeReadable, site, format!("{what} is part of responses now"))
            .harmless(Callers, "clients find it in answers")
            .notice(Servers, "values that the implementation leaves in it are sent");
    }
}

fn presence(context: &mut Context<'_>, site: &Site<'_>, old: &Field, new: &Field) {
    let what = &site.what;
    if new.is_required() && !old.is_required() {
        context
            .report(Rule::MemberMadeRequired, site, format!("{what} is required now"))
            .in_requests(Breaking, Callers, "requests without it were accepted and are refused")
            .in_responses(Harmless, Callers, "answers always have it")
            .breaking_code("the field has another type");
    } else if old.is_required() && !new.is_required() {
        context
            .report(Rule::MemberMadeOptional, site, format!("{what} is optional now"))
            .in_responses(Breaking, Callers, "clients rely on it")
            .in_requests(Harmless, Callers, "clients may leave it out")
            .breaking_code("the field has another type");
    }
    let nullable = |field: &Field| matches!(field.presence, Presence::Nullable | Presence::OptionalNullable);
    value::null(context, site, nullable(old), nullable(new));
}

fn added(context: &mut Context<'_>, site: &Site<'_>, field: &Field, old: &Members<'_>) {
    let travels = travels(site.direction, field);
    let what = &site.what;
    if !field.is_required() && field.constant.is_none() {
        let change = context.report(Rule::MemberAdded, site, format!("{what} is new"));
        if travels.request {
            change.harmless(Callers, "clients may send it");
        }
        answered(change, travels, old);
        if old.literals_are_open {
            change.harmless(Party::Rust, "`new` and literals that end with `..` leave it out");
        } else {
            change.breaking_code(CLOSED_LITERALS);
        }
        return;
    }
    let change = context.report(Rule::RequiredMemberAdded, site, format!("{what} is new and required"));
    if travels.request {
        change.breaking(Party::Callers, "requests without it are refused");
    }
    answered(change, travels, old);
    if field.constant.is_some() {
        change.harmless(Party::Rust, "it has one value, which the generated code writes");
    } else if travels.response {
        change.breaking_code("code that builds the value must set it");
    } else {
        change.breaking(Party::Rust, "code that builds the value must set it");
    }
}

/// Records what a new member means for those who read it.
fn answered(change: &mut Change, travels: Direction, old: &Members<'_>) {
    if travels.response && old.closed {
        change.notice(Callers, "it was ruled out; the generated client skips it");
    } else if travels.response {
        change.harmless(Callers, "clients find it in answers");
    }
}

fn removed(context: &mut Context<'_>, site: &Site<'_>, field: &Field, new: &Members<'_>) {
    let travels = travels(site.direction, field);
    let change = context.report_gone(Rule::MemberRemoved, site, format!("{} is gone", site.what));
    if travels.request {
        let reason = if new.closed { "requests that have it are refused" } else { "values in it are lost" };
        change.breaking(Party::Callers, reason);
    }
    if travels.response {
        change.breaking(Party::Callers, "clients do not find it in answers");
    }
    if field.constant.is_none() {
        change.breaking_code("the field is gone");
    }
}

/// Why a new field breaks code that builds the struct.
pub(in super::super) const CLOSED_LITERALS: &str =
    "the struct had neither `new` nor `Default`, so literals name every field";
