//! Objects: their members, and how unknown members are treated.

use super::super::change::Level::{Breaking, Harmless, Notice};
use super::super::change::Party::{self, Callers, Servers};
use super::super::rule::Rule;
use super::super::site::{Context, Site};
use super::super::{constraint, name, types, value};
use super::member::{self, Members};
use crate::ir::{Additional, Api, Struct, Type};

pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Struct, new: &Struct) {
    let owner = site.what.trim_matches('`').to_owned();
    let (before, after) = (members(context.old, site, old), members(context.new, site, new));
    member::compare(context, site, &owner, &before, &after);
    others(context, site, &owner, old, new);
    constraint::compare(context, site, &old.rules, &new.rules);
}

fn members<'a>(api: &Api, site: &Site<'_>, struct_: &'a Struct) -> Members<'a> {
    let derives_default = struct_.fields().all(|field| !field.is_required());
    let has_fields = struct_.fields().next().is_some() || struct_.additional.is_some();
    let is_open_in_client =
        !site.direction.request || struct_.has_client_new(api) || struct_.has_client_default(&api.models);
    Members {
        fields: struct_.fields.iter().collect(),
        literals_are_open: is_open_in_client && (struct_.has_new() || derives_default && has_fields),
        closed: struct_.closed,
    }
}

/// Compares how unknown members are treated: refused, dropped, or kept.
fn others(context: &mut Context<'_>, site: &Site<'_>, owner: &str, old: &Struct, new: &Struct) {
    if new.closed && !old.closed {
        let message = format!("{} may have no other members than those described", site.what);
        context
            .report(Rule::OtherMembersRefused, site, message)
            .in_requests(Breaking, Callers, "requests with other members were accepted and are refused")
            .in_responses(Notice, Servers, "answers may not have other members")
            .in_responses(Harmless, Callers, "answers have no others");
    } else if old.closed && !new.closed {
        let message = format!("{} may have other members than those described", site.what);
        context
            .report(Rule::OtherMembersAllowed, site, message)
            .in_requests(Harmless, Callers, "requests as before are still accepted")
            .in_responses(Notice, Callers, "members arrive that were ruled out; the generated client skips them");
    }
    let field = "the struct has a field for them only in one of the two";
    match (&old.additional, &new.additional) {
        (Some(old), Some(new)) => {
            let part = site.named(format!("a member of `{owner}` that is not named"));
            value::compare(context, &part, &old.value, &new.value);
            name::compare(context, &part, "the field", &old.rust, &new.rust);
        }
        (Some(_), None) => {
            let message = format!("members of {} that are not named are not kept any more", site.what);
            let change = context.report(Rule::OtherMembersRefused, site, message);
            if site.direction.request || site.direction.response {
                change.breaking(Party::Callers, "the values of such members are lost");
            }
            change.breaking_code(field);
        }
        (None, Some(additional)) => {
            let message = format!("members of {} that are not named are kept", site.what);
            let rust = &additional.rust;
            let is_open = members(context.old, site, old).literals_are_open;
            let change = context.report(Rule::OtherMembersAllowed, site, message);
            if site.direction.request || site.direction.response {
                change.harmless(Party::Callers, "values that were skipped are kept");
            }
            if is_open {
                change.harmless(Party::Rust, format!("`new` and literals that end with `..` leave `{rust}` out"));
            } else {
                change.breaking_code(member::CLOSED_LITERALS);
            }
            typed(context, site, old, additional);
        }
        (None, None) => {}
    }
}

/// Reports that unknown members, which were ignored with any value, now have a type.
fn typed(context: &mut Context<'_>, site: &Site<'_>, old: &Struct, new: &Additional) {
    let ty = context.new.resolved(&new.value.ty);
    let is_any = *ty == Type::Any && new.value.rules.is_empty() && new.rules.is_empty();
    if site.direction.request && !old.closed && !is_any {
        let ty = types::text(context.new, ty);
        let message = format!("a member of {} that is not named has to be `{ty}` now", site.what);
        context
            .report(Rule::TypeNarrowed, site, message)
            .breaking(Party::Callers, "members that were skipped are read, and others than that are refused");
    }
}
