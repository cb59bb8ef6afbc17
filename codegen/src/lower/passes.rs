//! Decisions that need all models: routes, aliases, unions, usage, boxing, names, duplicates, cargo features.

mod alias;
mod body_discriminators;
mod boxing;
mod callback_urls;
mod cycles;
mod dedup;
mod discriminator_members;
mod draft;
mod features;
mod names;
mod nesting;
mod pages;
mod query_names;
mod routes;
mod rule_unions;
mod text_forms;
mod text_rules;
mod text_variants;
mod union_discriminators;
mod usage;

use super::models::{self, Discriminator};
use super::overrides::Overrides;
use super::overrides::derives::add_derives;
use super::overrides::selection::{Selected, drop_reports_of_unused};
use super::reference::Resolver;
use super::reporter::Reporter;
use crate::Features;
use crate::ir::{Codec, Contents, ModelKind, PageModel, Presence, Type};
use crate::location::Location;
use dedup::Duplicates;
use draft::Drafts;

pub(crate) use draft::Draft;
pub(crate) use names::TAKEN_BY_MODELS;

/// What the passes make of the drafts.
pub(crate) struct Passed {
    pub(crate) contents: Contents,
    pub(crate) pages: Vec<PageModel>,
    pub(crate) nesting: usize,
}

/// Runs all passes, and completes the models.
pub(crate) fn run<'a>(
    read: Contents<models::Draft<'a>>,
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    selection: &Selected<'_>,
    features: Features,
) -> Passed {
    let mut discriminators = Vec::new();
    let api = read.with_models(|models| {
        let drafts: Vec<Draft>;
        (drafts, discriminators) = models.into_iter().map(Draft::of).unzip();
        drafts
    });
    let is_part = selection.is_active();
    let mut work = Work { api, resolver, overrides, is_part, features, discriminators, nesting: 0, pages: Vec::new() };
    for step in STEPS {
        (step.run)(&mut work);
    }
    let Work { api, nesting, pages, .. } = work;
    Passed { contents: api.with_models(|drafts| drafts.into_iter().map(Draft::complete).collect()), pages, nesting }
}

/// The state that passes work on.
struct Work<'w, 'a> {
    api: Drafts,
    resolver: &'w mut Resolver<'a>,
    overrides: &'w mut Overrides<'a>,
    /// Whether only some operations are selected.
    is_part: bool,
    features: Features,
    /// The undecided discriminators of unions, by model until unused ones are dropped.
    discriminators: Vec<Option<Discriminator<'a>>>,
    nesting: usize,
    pages: Vec<PageModel>,
}

/// A fact about the models that a pass establishes.
#[derive(Clone, Copy)]
enum Fact {
    /// Operations of one route are told apart.
    Routes,
    /// No alias refers to itself.
    Aliases,
    /// The rules of an alias are copied to its uses.
    AliasRules,
    /// The way to tell variants of a union apart is known.
    Unions,
    /// Every model is used.
    InUse,
    /// The directions of each model, and where it is used, are known.
    Directions,
    /// Variants are in the order in which texts are tried.
    TextVariants,
    /// Required members are required in every direction.
    Presence,
    /// Recursive and large values are boxed.
    Boxes,
    /// The derivable traits are known.
    Derives,
    /// Models have their final names and order, equal ones are merged, and their cargo features are known.
    Names,
    /// The text forms of values are known.
    TextForms,
    /// Values that are texts have no rules that are only checked in JSON.
    TextRules,
    /// Pages, excluded query names and the URLs of callbacks are known.
    Lists,
}

/// A pass: the facts it establishes, and those it requires.
struct Step {
    gives: Fact,
    needs: &'static [Fact],
    run: fn(&mut Work<'_, '_>),
}

/// The passes in order; the compiler checks that requirements are met.
const STEPS: &[Step] = &[
    Step { gives: Fact::Routes, needs: &[], run: |work| routes::add_discriminators(&mut work.api) },
    Step {
        gives: Fact::Aliases,
        needs: &[],
        run: |work| alias::break_cycles(&mut work.resolver.reporter, &mut work.api.models),
    },
    Step {
        gives: Fact::AliasRules,
        needs: &[Fact::Aliases],
        run: |work| {
            alias::copy_rules(&mut work.api);
            alias::drop_null_of_any(&mut work.api);
        },
    },
    Step {
        gives: Fact::Unions,
        needs: &[Fact::Aliases, Fact::AliasRules],
        run: |work| {
            decide_unions(&mut work.resolver.reporter, &mut work.api.models, &work.discriminators);
            discriminator_members::fix(&mut work.api.models);
        },
    },
    Step { gives: Fact::InUse, needs: &[Fact::Routes, Fact::Unions], run: keep_what_is_in_use },
    Step { gives: Fact::Directions, needs: &[Fact::InUse], run: |work| usage::mark(&mut work.api) },
    Step {
        gives: Fact::TextVariants,
        needs: &[Fact::Unions, Fact::Directions],
        run: |work| text_variants::order(&mut work.api),
    },
    Step {
        gives: Fact::Presence,
        needs: &[Fact::Directions, Fact::TextVariants],
        run: |work| {
            rule_unions::mark(&mut work.api.models);
            usage::decide_absence(&mut work.api);
        },
    },
    Step {
        gives: Fact::Boxes,
        needs: &[Fact::InUse],
        run: |work| {
            boxing::box_cycles(&mut work.api.models);
            boxing::box_large(&mut work.api);
        },
    },
    Step { gives: Fact::Derives, needs: &[Fact::Presence, Fact::Boxes], run: |work| derive(&mut work.api.models) },
    Step { gives: Fact::Names, needs: &[Fact::InUse, Fact::Boxes, Fact::Derives], run: assign_names },
    Step {
        gives: Fact::TextForms,
        needs: &[Fact::Directions, Fact::Names],
        run: |work| text_forms::decide(&mut work.resolver.reporter, &mut work.api),
    },
    Step {
        gives: Fact::TextRules,
        needs: &[Fact::AliasRules, Fact::Directions],
        run: |work| text_rules::report(&mut work.resolver.reporter, &mut work.api),
    },
    Step {
        gives: Fact::Lists,
        needs: &[Fact::Names],
        run: |work| {
            query_names::exclude(&mut work.api);
            work.pages = pages::find(&mut work.resolver.reporter, &work.api);
            callback_urls::settle(&mut work.resolver.reporter, &mut work.api);
        },
    },
];

const _: () = assert!(are_in_order(STEPS), "a step of `lower::passes` runs before one that it needs");

/// Whether each pass comes after those that establish its requirements.
const fn are_in_order(steps: &[Step]) -> bool {
    let mut given = 0_u32;
    let mut index = 0;
    while index < steps.len() {
        let mut need = 0;
        while need < steps[index].needs.len() {
            if given & 1 << steps[index].needs[need] as u32 == 0 {
                return false;
            }
            need += 1;
        }
        given |= 1 << steps[index].gives as u32;
        index += 1;
    }
    true
}

fn keep_what_is_in_use(work: &mut Work<'_, '_>) {
    let roots = work.api.models.iter().enumerate().filter(|(_, draft)| draft.named && !work.is_part);
    let roots = roots.map(|(index, _)| index).collect();
    let places: Vec<Location> = work.api.models.iter().map(|draft| draft.location.clone()).collect();
    let used = usage::drop_unused(&mut work.api, roots);
    if work.is_part {
        drop_reports_of_unused(&mut work.resolver.reporter, &places.into_iter().zip(used).collect::<Vec<_>>());
    }
}

/// Names the models, and does what depends on names: user derives, duplicates and cargo features.
fn assign_names(work: &mut Work<'_, '_>) {
    work.nesting = nesting::deepest(&work.api.models);
    let named = names::assign(&mut work.resolver.reporter, &mut work.api);
    add_derives(work.resolver, work.overrides, &mut work.api.models);
    let duplicates = Duplicates::find(&work.api.models, &named);
    if work.features.per_tag {
        let root = &work.resolver.document.root;
        features::assign(&mut work.resolver.reporter, &mut work.api, root, &duplicates);
    }
    duplicates.unite(&mut work.api.models);
}

fn decide_unions(reporter: &mut Reporter<'_>, models: &mut [Draft], discriminators: &[Option<Discriminator<'_>>]) {
    for (index, discriminator) in discriminators.iter().enumerate() {
        let ModelKind::Union(union) = &models[index].kind else { continue };
        if let [_] = union.variants[..] {
            continue;
        }
        let union = union.clone();
        let place = models[index].location.clone();
        let decided = union_discriminators::decide(reporter, models, &union, discriminator.as_ref(), &place);
        models[index].kind = ModelKind::Union(decided);
    }
}

/// Derives `Default` if all members are optional, `Eq` if all contents allow it.
fn derive(models: &mut [Draft]) {
    for model in models.iter_mut() {
        model.default = match &model.kind {
            ModelKind::Struct(struct_) => struct_.fields.iter().all(|field| match field.presence {
                Presence::Optional | Presence::OptionalNullable => true,
                // A constant is not a field of the struct.
                Presence::Required | Presence::Nullable => field.constant.is_some(),
            }),
            ModelKind::Enum(_) | ModelKind::Union(_) | ModelKind::Alias(_) => false,
        };
        // The client keeps unknown variants as JSON, which is not `Eq`.
        model.eq = !matches!(model.kind, ModelKind::Union(_)) && holds_eq(model);
    }
    derive_in_client(models);
    let mentioned: Vec<Vec<usize>> = usage::mentions(models);
    for group in cycles::groups(&mentioned) {
        let eq = group.iter().all(|member| models[*member].eq && mentioned[*member].iter().all(|id| models[*id].eq));
        for member in group {
            models[member].eq = eq;
        }
    }
}

/// Derives `Default` in the client if every member has one, innermost first; a type that requires itself has
/// none.
fn derive_in_client(models: &mut [Draft]) {
    let has_default = |models: &[Draft], model: &Draft| match &model.kind {
        ModelKind::Struct(struct_) => struct_.has_client_default(models),
        ModelKind::Alias(alias) => alias.value.has_client_default(models),
        ModelKind::Enum(_) | ModelKind::Union(_) => false,
    };
    loop {
        let is_new = |model: &Draft| !model.client_default && has_default(models, model);
        let found: Vec<usize> = (0..models.len()).filter(|index| is_new(&models[*index])).collect();
        if found.is_empty() {
            break;
        }
        for index in found {
            models[index].client_default = true;
        }
    }
}

fn holds_eq(model: &Draft) -> bool {
    let mut all = true;
    for value in model.kind.values() {
        value.types(&mut |ty| {
            all &= match ty {
                Type::Float | Type::Double | Type::Any => false,
                Type::Foreign(foreign) => matches!(foreign.codec, Codec::Runtime(_)),
                _ => true,
            };
        });
    }
    all
}
