//! What needs all models: routes, aliases, unions, usage, boxing, names, duplicates, cargo features.

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
pub(crate) mod walk;

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

pub(crate) use names::TAKEN;

/// Puts the models into the API and decides what needs all of them.
pub(crate) fn run(
    api: &mut Api,
    models: Models<'_>,
    resolver: &mut Resolver<'_>,
    overrides: &mut Overrides<'_>,
    selection: &Selected<'_>,
    features: Features,
) {
    let drafts = models.into_drafts();
    let mut naming: Vec<Naming> =
        drafts.iter().map(|draft| Naming { named: draft.named, requested: draft.requested.clone() }).collect();
    let is_part = selection.is_active();
    let mut pending = Vec::with_capacity(drafts.len());
    api.models.reserve_exact(drafts.len());
    for draft in drafts {
        let (model, discriminator, place) = model(draft);
        api.models.push(model);
        pending.push((discriminator, place));
    }
    routes::add_discriminators(api);
    alias::break_cycles(&mut resolver.reporter, &mut api.models, &pending);
    alias::copy_rules(api);
    alias::drop_null_of_any(api);
    decide_unions(&mut resolver.reporter, &mut api.models, &pending);
    discriminator_members::fix(&mut api.models);
    let is_root = |index: usize| naming[index].named && !is_part;
    let roots = (0..naming.len()).filter(|index| is_root(*index)).collect();
    let used = usage::drop_unused(api, &mut naming, roots);
    if is_part {
        let places = pending.into_iter().map(|(_, place)| place);
        drop_reports_of_unused(&mut resolver.reporter, &places.zip(used).collect::<Vec<_>>());
    }
    usage::mark(api);
    text_variants::order(api);
    rule_unions::mark(&mut api.models);
    usage::relax(&mut api.models);
    boxing::box_cycles(&mut api.models);
    boxing::box_large(api);
    derive(&mut api.models);
    api.nesting = nesting::deepest(&api.models);
    let named = names::assign(&mut resolver.reporter, api, &naming);
    add_derives(resolver, overrides, &mut api.models);
    let duplicates = Duplicates::find(&api.models, &named);
    if features.per_tag {
        features::assign(&mut resolver.reporter, api, &duplicates);
    }
    duplicates.unite(&mut api.models);
    text_forms::decide(api);
    query_names::exclude(api);
    api.pages = pages::find(api);
}

/// What decides the name of a model.
pub(crate) struct Naming {
    /// It has a name in the description.
    named: bool,
    /// The user wants it to have this one.
    requested: Option<RequestedName>,
}

/// What is left to decide about a union, and where the schema is.
type Pending<'a> = (Option<Discriminator<'a>>, Location);

fn model(draft: Draft<'_>) -> (Model, Option<Discriminator<'_>>, Location) {
    let built = match draft.state {
        State::Built(built) => *built,
        // Nothing is left unread but what led back to itself and was reported.
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

/// `Default` where everything may be left out, `Eq` where all that it holds is known to be.
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
        // The client keeps what no variant can hold as any JSON.
        model.eq = !matches!(model.kind, ModelKind::Union(_)) && holds_eq(model);
    }
    let mentioned: Vec<Vec<usize>> = models.iter().map(walk::mentions).collect();
    for group in cycles::groups(&mentioned) {
        let eq = group.iter().all(|member| models[*member].eq && mentioned[*member].iter().all(|id| models[*id].eq));
        for member in group {
            models[member].eq = eq;
        }
    }
}

fn holds_eq(model: &Model) -> bool {
    let mut all = true;
    walk::types_of(model, &mut |ty| {
        all &= match ty {
            Type::Float | Type::Double | Type::Any => false,
            Type::Foreign(foreign) => matches!(foreign.codec, Codec::Runtime(_)),
            _ => true,
        };
    });
    all
}
