//! Enums: values that were added or removed.

use super::super::change::Party;
use super::super::name;
use super::super::rule::Rule;
use super::super::site::{Context, Site};
use crate::ir::{EnumValues, EnumVariant, unknown};

pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &EnumValues, new: &EnumValues) {
    match (old, new) {
        (EnumValues::String(old), EnumValues::String(new)) => values(context, site, &texts(old), &texts(new)),
        (EnumValues::Integer(old_kind, old), EnumValues::Integer(new_kind, new)) => {
            if old_kind != new_kind {
                context
                    .report(Rule::RustTypeChanged, site, format!("the numbers of {} have another width", site.what))
                    .breaking_code("the number of a variant has another type");
            }
            values(context, site, &texts(old), &texts(new));
        }
        (EnumValues::String(_), EnumValues::Integer(..)) | (EnumValues::Integer(..), EnumValues::String(_)) => {}
    }
}

/// The values as texts, with the names of their variants.
fn texts<T: ToString>(variants: &[EnumVariant<T>]) -> Vec<(String, &str)> {
    variants.iter().map(|variant| (variant.value.to_string(), variant.rust.as_str())).collect()
}

fn values(context: &mut Context<'_>, site: &Site<'_>, old: &[(String, &str)], new: &[(String, &str)]) {
    let names = |variants: &[(String, &str)]| unknown(variants.iter().map(|(_, rust)| *rust));
    name::compare_unknown(context, site, names(old), names(new));
    for (value, rust) in new {
        if let Some((_, before)) = old.iter().find(|(other, _)| other == value) {
            name::compare(context, site, &format!("the variant of `{value}`"), before, rust);
        } else {
            added(context, site, value);
        }
    }
    for (value, _) in old.iter().filter(|(value, _)| new.iter().all(|(other, _)| other != value)) {
        let message = format!("{} has no value `{value}` any more", site.what);
        let change = context.report_gone(Rule::ValueRemoved, site, message);
        if site.direction.request {
            change.breaking(Party::Callers, "it was accepted and is refused");
        }
        change.breaking_code("the variant is gone");
    }
}

fn added(context: &mut Context<'_>, site: &Site<'_>, value: &str) {
    let change = context.report(Rule::ValueAdded, site, format!("{} has the new value `{value}`", site.what));
    if site.direction.response {
        change
            .notice(Party::Callers, "the generated client keeps a value it does not know; a closed reader refuses it");
    }
    if site.direction.request {
        change.breaking(Party::Servers, "requests may have it, and a `match` of the server's enum needs an arm for it");
    }
}
