//! Enums: values that were added or removed.

use super::super::change::Level::{Breaking, Harmless, Notice};
use super::super::change::Party::{Callers, Servers};
use super::super::name;
use super::super::rule::Rule;
use super::super::site::{Context, Site};
use crate::ir::{Enum, EnumVariant};

pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Enum, new: &Enum) {
    if old.integer != new.integer {
        context
            .report(Rule::RustTypeChanged, site, format!("the numbers of {} have another width", site.what))
            .breaking_code("the number of a variant has another type");
    }
    name::compare_unknown(context, site, old.unknown(), new.unknown());
    for EnumVariant { value, rust, .. } in &new.variants {
        if let Some(before) = old.variants.iter().find(|other| other.value == *value) {
            name::compare(context, site, &format!("the variant of `{value}`"), &before.rust, rust);
        } else {
            added(context, site, value);
        }
    }
    let is_gone = |before: &&EnumVariant| new.variants.iter().all(|other| other.value != before.value);
    for EnumVariant { value, .. } in old.variants.iter().filter(is_gone) {
        let message = format!("{} has no value `{value}` any more", site.what);
        context
            .report_gone(Rule::ValueRemoved, site, message)
            .in_requests(Breaking, Callers, "it was accepted and is refused")
            .in_responses(Harmless, Callers, "clients do not get it any more")
            .breaking_code("the variant is gone");
    }
}

fn added(context: &mut Context<'_>, site: &Site<'_>, value: &str) {
    context
        .report(Rule::ValueAdded, site, format!("{} has the new value `{value}`", site.what))
        .in_responses(
            Notice,
            Callers,
            "the generated client keeps a value it does not know; a closed reader refuses it",
        )
        .in_requests(Breaking, Servers, "requests may have it, and a `match` of the server's enum needs an arm for it")
        .in_requests(Harmless, Callers, "clients may send it");
}
