//! Named types: each pair is compared once, for all operations that reach it.

mod enum_;
pub(super) mod member;
mod struct_;
pub(super) mod union;

use std::collections::BTreeSet;

use super::change::{Party, Reached};
use super::deprecated::deprecated;
use super::name;
use super::reach::{Pair, Reach};
use super::rule::Rule;
use super::site::{Context, Direction, Site};
use super::types;
use crate::ir::{Model, ModelKind, PerSide, Type};

/// Compares the models of every pair.
pub(super) fn compare<'p>(
    context: &mut Context<'_>,
    pairs: impl Iterator<Item = (&'p Pair, &'p Reach)> + Clone,
    operations: &[Reached],
) {
    for ((old_id, new), reach) in pairs.clone() {
        let (old, new) = (context.old.model(*old_id), context.new.model(*new));
        let indices: BTreeSet<usize> = reach.request.iter().chain(&reach.response).copied().collect();
        let reached: Vec<Reached> = indices.into_iter().map(|index| operations[index].clone()).collect();
        let site = Site {
            what: format!("`{}`", new.name.rust),
            direction: Direction { request: !reach.request.is_empty(), response: !reach.response.is_empty() },
            old: &old.location,
            new: &new.location,
            operations: &reached,
        };
        if !context.still_has(&old.name.rust) {
            if types::is_called(context.old, &new.name.rust, &Type::Model(*old_id)) {
                gone(context, &site.named(format!("`{}`", old.name.rust)));
            } else {
                name::changed(context, &site, "the type", &old.name.rust, &new.name.rust);
            }
        }
        pair(context, &site, old, new);
    }
    removed(context, &pairs.map(|((old, _), _)| old.0).collect());
}

fn pair(context: &mut Context<'_>, site: &Site<'_>, old: &Model, new: &Model) {
    deprecated(context, site, old.deprecated, new.deprecated);
    derives(context, site, old, new);
    match (&old.kind, &new.kind) {
        (ModelKind::Struct(old), ModelKind::Struct(new)) => struct_::compare(context, site, old, new),
        (ModelKind::Enum(old), ModelKind::Enum(new)) => enum_::compare(context, site, old, new),
        (ModelKind::Union(old), ModelKind::Union(new)) => union::compare(context, site, old, new),
        // Only models of the same kind are pairs; an alias is compared where it is used.
        _ => {}
    }
}

/// Compares the traits that code may rely on. `Default` disappears only with a new required member, which is
/// reported by itself.
fn derives(context: &mut Context<'_>, site: &Site<'_>, old: &Model, new: &Model) {
    let gone = |of: fn(&PerSide) -> &Vec<String>| -> Vec<String> {
        let (before, after) = (derived(old, of(&old.derives)), derived(new, of(&new.derives)));
        before.into_iter().filter(|path| !after.contains(path)).map(|path| format!("`{path}`")).collect()
    };
    let (mut server, mut client) = (gone(|derives| &derives.server), gone(|derives| &derives.client));
    let mut models = gone(|derives| &derives.models);
    let all: Vec<_> = server.iter().filter(|path| client.contains(path) && models.contains(path)).cloned().collect();
    for some in [&mut server, &mut client, &mut models] {
        some.retain(|path| !all.contains(path));
    }
    let sides = [(all, ""), (server, " in the server"), (client, " in the client"), (models, " in the models alone")];
    for (traits, place) in sides.into_iter().filter(|(traits, _)| !traits.is_empty()) {
        let message = format!("{} does not derive {} any more{place}", site.what, traits.join(", "));
        context
            .report(Rule::DeriveRemoved, site, message)
            .breaking(Party::Rust, "code that needs the trait does not compile");
    }
}

/// The traits that a model may or may not derive, with those that the user adds.
fn derived<'a>(model: &Model, besides: &'a [String]) -> Vec<&'a str> {
    let own: &[&str] = if model.eq { &["Eq", "Hash"] } else { &[] };
    let besides = besides.iter().map(String::as_str).filter(|path| !own.contains(path));
    own.iter().copied().chain(besides).collect()
}

/// Reports types that code may name and that were removed.
fn removed(context: &mut Context<'_>, paired: &BTreeSet<usize>) {
    let (old, new) = (context.old, context.new);
    for (index, model) in old.models.iter().enumerate() {
        if !paired.contains(&index) && !context.still_has(&model.name.rust) {
            let direction = Direction { request: model.in_request, response: model.in_response };
            let what = format!("`{}`", model.name.rust);
            let site = Site { what, direction, old: &model.location, new: &new.location, operations: &[] };
            gone(context, &site);
        }
    }
}

fn gone(context: &mut Context<'_>, site: &Site<'_>) {
    context
        .report_gone(Rule::TypeRemoved, site, format!("the type {} is gone", site.what))
        .breaking_code("code that names it does not compile");
}
