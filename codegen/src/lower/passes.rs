//! Decisions that need all models: routes, aliases, unions, usage, boxing, names, duplicates, cargo features.

mod alias;
mod body_discriminators;
mod boxing;
mod cycles;
mod dedup;
mod discriminator_members;
mod features;
mod names;
mod nesting;
mod pages;
mod query_names;
mod routes;
mod rule_unions;
mod text_forms;
mod text_variants;
mod union_discriminators;
mod usage;

use super::models::{Built, Discriminator, Draft, Models, State};
use super::overrides::Overrides;
use super::overrides::derives::add_derives;
use super::overrides::name::RequestedName;
use super::overrides::selection::{Selected, drop_reports_of_unused};
use super::reference::Resolver;
use super::reporter::Reporter;
use crate::Features;
use crate::ir::{Alias, Api, Codec, Model, ModelKind, PerSide, Presence, Type, Value};
use crate::location::Location;
use dedup::Duplicates;

pub(crate) use names::TAKEN_BY_MODELS;

/// Adds the models to the API and runs all passes.
pub(crate) fn run<'a>(
    api: &mut Api,
    models: Models<'a>,
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    selection: &Selected<'_>,
    features: Features,
) {
    let drafts = models.into_drafts();
    let naming: Vec<Naming> =
        drafts.iter().map(|draft| Naming { named: draft.named, requested: draft.requested.clone() }).collect();
    let mut pending = Vec::with_capacity(drafts.len());
    api.models.reserve_exact(drafts.len());
    for draft in drafts {
        let (model, discriminator, place) = model(draft);
        api.models.push(model);
        pending.push((discriminator, place));
    }
    let is_part = selection.is_active();
    let mut work = Work { api, resolver, overrides, is_part, features, naming, pending };
    for step in STEPS {
        (step.run)(&mut work);
    }
}

/// The state that passes work on.
struct Work<'w, 'a> {
    api: &'w mut Api,
    resolver: &'w mut Resolver<'a>,
    overrides: &'w mut Overrides<'a>,
    /// Whether only some operations are selected.
    is_part: bool,
    features: Features,
    naming: Vec<Naming>,
    pending: Vec<Pending<'a>>,
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
    /// Pages and excluded query names are known.
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
    Step { gives: Fact::Routes, needs: &[], run: |work| routes::add_discriminators(work.api) },
    Step {
        gives: Fact::Aliases,
        needs: &[],
        run: |work| alias::break_cycles(&mut work.resolver.reporter, &mut work.api.models, &work.pending),
    },
    Step {
        gives: Fact::AliasRules,
        needs: &[Fact::Aliases],
        run: |work| {
            alias::copy_rules(work.api);
            alias::drop_null_of_any(work.api);
        },
    },
    Step {
        gives: Fact::Unions,
        needs: &[Fact::Aliases, Fact::AliasRules],
        run: |work| {
            decide_unions(&mut work.resolver.reporter, &mut work.api.models, &work.pending);
            discriminator_members::fix(&mut work.api.models);
        },
    },
    Step { gives: Fact::InUse, needs: &[Fact::Routes, Fact::Unions], run: keep_what_is_in_use },
    Step { gives: Fact::Directions, needs: &[Fact::InUse], run: |work| usage::mark(work.api) },
    Step {
        gives: Fact::TextVariants,
        needs: &[Fact::Unions, Fact::Directions],
        run: |work| text_variants::order(work.api),
    },
    Step {
        gives: Fact::Presence,
        needs: &[Fact::Directions, Fact::TextVariants],
        run: |work| {
            rule_unions::mark(&mut work.api.models);
            usage::decide_absence(work.api);
        },
    },
    Step {
        gives: Fact::Boxes,
        needs: &[Fact::InUse],
        run: |work| {
            boxing::box_cycles(&mut work.api.models);
            boxing::box_large(work.api);
        },
    },
    Step { gives: Fact::Derives, needs: &[Fact::Presence, Fact::Boxes], run: |work| derive(&mut work.api.models) },
    Step { gives: Fact::Names, needs: &[Fact::InUse, Fact::Boxes, Fact::Derives], run: assign_names },
    Step { gives: Fact::TextForms, needs: &[Fact::Directions, Fact::Names], run: |work| text_forms::decide(work.api) },
    Step {
        gives: Fact::Lists,
        needs: &[Fact::Names],
        run: |work| {
            query_names::exclude(work.api);
            work.api.pages = pages::find(work.api);
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
    let is_root = |index: usize| work.naming[index].named && !work.is_part;
    let roots = (0..work.naming.len()).filter(|index| is_root(*index)).collect();
    let used = usage::drop_unused(work.api, &mut work.naming, roots);
    if work.is_part {
        let places = std::mem::take(&mut work.pending).into_iter().map(|(_, place)| place);
        drop_reports_of_unused(&mut work.resolver.reporter, &places.zip(used).collect::<Vec<_>>());
    }
}

/// Names the models, and does what depends on names: user derives, duplicates and cargo features.
fn assign_names(work: &mut Work<'_, '_>) {
    work.api.nesting = nesting::deepest(&work.api.models);
    let named = names::assign(&mut work.resolver.reporter, work.api, &work.naming);
    add_derives(work.resolver, work.overrides, &mut work.api.models);
    let duplicates = Duplicates::find(&work.api.models, &named);
    if work.features.per_tag {
        features::assign(&mut work.resolver.reporter, work.api, &duplicates);
    }
    duplicates.unite(&mut work.api.models);
}

/// What decides the name of a model.
pub(crate) struct Naming {
    /// Whether the description names it.
    named: bool,
    /// The name requested by the user.
    requested: Option<RequestedName>,
}

/// The undecided discriminator of a union, and the location of its schema.
type Pending<'a> = (Option<Discriminator<'a>>, Location);

fn model(draft: Draft<'_>) -> (Model, Option<Discriminator<'_>>, Location) {
    let built = match draft.state {
        State::Built(built) => *built,
        // Only cycles are left unread, and they have been reported.
        State::Unread | State::Building => Built {
            doc: None,
            deprecated: false,
            kind: ModelKind::Alias(Alias { value: Value::plain(Type::Any) }),
            discriminator: None,
        },
    };
    let model = Model {
        location: draft.node.location.clone(),
        name: draft.name,
        module: String::new(),
        doc: built.doc,
        deprecated: built.deprecated,
        kind: built.kind,
        derives: PerSide::default(),
        attributes: PerSide::default(),
        default: false,
        client_default: false,
        eq: false,
        in_request: false,
        in_response: false,
        in_webhook: false,
        discriminated_by_rules: false,
        in_parameter: false,
        features: Vec::new(),
    };
    (model, built.discriminator, draft.node.location)
}

fn decide_unions(reporter: &mut Reporter<'_>, models: &mut [Model], pending: &[Pending<'_>]) {
    for (index, (discriminator, place)) in pending.iter().enumerate() {
        let ModelKind::Union(union) = &models[index].kind else { continue };
        if let [_] = union.variants[..] {
            continue;
        }
        let union = union.clone();
        let decided = union_discriminators::decide(reporter, models, &union, discriminator.as_ref(), place);
        models[index].kind = ModelKind::Union(decided);
    }
}

/// Derives `Default` if all members are optional, `Eq` if all contents allow it.
fn derive(models: &mut [Model]) {
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
fn derive_in_client(models: &mut [Model]) {
    let has_default = |models: &[Model], model: &Model| match &model.kind {
        ModelKind::Struct(struct_) => struct_.has_client_default(models),
        ModelKind::Alias(alias) => alias.value.has_client_default(models),
        ModelKind::Enum(_) | ModelKind::Union(_) => false,
    };
    loop {
        let is_new = |model: &Model| !model.client_default && has_default(models, model);
        let found: Vec<usize> = (0..models.len()).filter(|index| is_new(&models[*index])).collect();
        if found.is_empty() {
            break;
        }
        for index in found {
            models[index].client_default = true;
        }
    }
}

fn holds_eq(model: &Model) -> bool {
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
