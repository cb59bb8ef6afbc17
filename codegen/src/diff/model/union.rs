//! Unions: variants that were added or removed, and how they are told apart.

use super::super::change::Level::{Breaking, Harmless, Notice};
use super::super::change::Party::{Callers, Servers};
use super::super::rule::Rule;
use super::super::site::{Context, Site};
use super::super::{name, types, value};
use crate::ir::{Api, Tagging, Union, Variant, unknown};

/// Pairs the variants of the old union with those of the new one, by index.
pub(in super::super) fn matched(old: (&Api, &Union), new: (&Api, &Union)) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    // By name first, then by type.
    let by_name = |left: &Variant, right: &Variant| left.rust == right.rust;
    let by_content = |left: &Variant, right: &Variant| {
        let left = old.0.resolved(&left.value.ty);
        let right = new.0.resolved(&right.value.ty);
        match (types::model(old.0, left), types::model(new.0, right)) {
            (Some((_, left)), Some((_, right))) => left.name.wire == right.name.wire,
            (None, None) => types::relation((old.0, left), (new.0, right)) == types::Relation::Same,
            (Some(_), None) | (None, Some(_)) => false,
        }
    };
    for is_same in [&by_name as &dyn Fn(&Variant, &Variant) -> bool, &by_content] {
        for (after, variant) in new.1.variants.iter().enumerate() {
            let is_free = |before: &usize| pairs.iter().all(|(left, right)| left != before && *right != after);
            let before =
                (0..old.1.variants.len()).find(|before| is_free(before) && is_same(&old.1.variants[*before], variant));
            pairs.extend(before.map(|before| (before, after)));
        }
    }
    pairs.sort_by_key(|(_, after)| *after);
    pairs
}

pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Union, new: &Union) {
    let names = |union: &Union| unknown(union.variants.iter().map(|variant| variant.rust.as_str()));
    name::compare_unknown(context, site, names(old), names(new));
    let pairs = matched((context.old, old), (context.new, new));
    for (before, after) in &pairs {
        let (before, after) = (&old.variants[*before], &new.variants[*after]);
        let part = site.named(format!("the variant `{}` of {}", after.rust, site.what));
        name::compare(context, &part, "the variant", &before.rust, &after.rust);
        value::compare(context, &part, &before.value, &after.value);
    }
    for (index, variant) in new.variants.iter().enumerate() {
        if pairs.iter().all(|(_, after)| *after != index) {
            added(context, site, &variant.rust);
        }
    }
    for (index, variant) in old.variants.iter().enumerate() {
        if pairs.iter().all(|(before, _)| *before != index) {
            let message = format!("{} has no variant `{}` any more", site.what, variant.rust);
            context
                .report_gone(Rule::VariantRemoved, site, message)
                .in_requests(Breaking, Callers, "it was accepted and is refused")
                .in_responses(Harmless, Callers, "clients do not get it any more")
                .breaking_code("the variant is gone");
        }
    }
    tagging(context, site, &old.tagging, &new.tagging, &pairs);
}

fn added(context: &mut Context<'_>, site: &Site<'_>, variant: &str) {
    let message = format!("{} has the new variant `{variant}`", site.what);
    context
        .report(Rule::VariantAdded, site, message)
        .in_responses(Notice, Callers, "the generated client keeps unknown values; a closed reader refuses them")
        .in_requests(Breaking, Servers, "requests may have it, and a `match` of the server's enum needs an arm for it")
        .in_requests(Harmless, Callers, "clients may send it");
}

/// Compares the discriminator and its values.
fn tagging(context: &mut Context<'_>, site: &Site<'_>, old: &Tagging, new: &Tagging, pairs: &[(usize, usize)]) {
    let message = match (discriminator(old), discriminator(new)) {
        (Some((old, before)), Some((new, after))) if old == new => return tags(context, site, before, after, pairs),
        (_, Some((member, _))) => format!("the variants of {} are told apart by `{member}` now", site.what),
        (Some((member, _)), None) => format!("the variants of {} are not told apart by `{member}` any more", site.what),
        (None, None) => return,
    };
    let change = context.report(Rule::TaggingChanged, site, message);
    if site.direction.request || site.direction.response {
        change.breaking(Callers, "values are written and read in another way");
    }
}

/// The values of a discriminator, each with the index of its variant.
type Tags = [(String, usize)];

fn discriminator(tagging: &Tagging) -> Option<(&str, &Tags)> {
    match tagging {
        Tagging::Discriminator { member, tags, .. } => Some((member, tags)),
        Tagging::JsonType(_) | Tagging::RequiredMember(_) | Tagging::Ordered => None,
    }
}

/// Compares the discriminator values of the variants that both unions have.
fn tags(context: &mut Context<'_>, site: &Site<'_>, old: &Tags, new: &Tags, pairs: &[(usize, usize)]) {
    for (before, after) in pairs {
        let has = |tags: &Tags, tag: &str, index: usize| tags.iter().any(|(other, at)| other == tag && *at == index);
        for (tag, _) in new.iter().filter(|(tag, at)| at == after && !has(old, tag, *before)) {
            let message = format!("`{tag}` identifies a variant of {} that had another tag", site.what);
            context
                .report(Rule::TagAdded, site, message)
                .in_responses(Breaking, Callers, "answers have a tag that clients do not know")
                .in_requests(Harmless, Callers, "requests as before are still accepted");
        }
        for (tag, _) in old.iter().filter(|(tag, at)| at == before && !has(new, tag, *after)) {
            let message = format!("`{tag}` no longer identifies a variant of {}", site.what);
            context
                .report_gone(Rule::TagRemoved, site, message)
                .in_requests(Breaking, Callers, "it was accepted and is refused")
                .in_responses(Harmless, Callers, "clients do not get it any more");
        }
    }
}
