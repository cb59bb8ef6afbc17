//! What needs all models: aliases, unions, who uses what, boxes, names, twins, cargo features.

mod alias;
mod body_discriminators;
mod boxing;
mod cycles;
mod dedup;
mod discriminator_members;
mod features;
mod names;
mod nesting;
mod routes;
mod rule_unions;
pub(crate) mod tagging;
mod text_variants;
mod usage;
pub(crate) mod walk;

#[cfg(test)]
pub(crate) use names::TAKEN;

use super::models::{Built, Draft, State};
use super::overrides::Asked;
use super::schema::plain;
use super::schema::union::Discriminator;
use super::{Context, Models};
use crate::ir::{Alias, Api, Model, ModelKind, PerSide, Presence, Type};
use crate::location::Location;
use dedup::Twins;

/// Puts the models into the API and decides what is left to decide.
pub(crate) fn finish(context: &mut Context<'_>, api: &mut Api) {
    let drafts = std::mem::take::<Models<'_>>(&mut context.models).into_drafts();
    let mut wanted: Vec<Wanted> =
        drafts.iter().map(|draft| Wanted { named: draft.named, asked: draft.asked.clone() }).collect();
    let is_part = context.chooser.is_active();
    let mut pending = Vec::with_capacity(drafts.len());
    api.models.reserve_exact(drafts.len());
    for draft in drafts {
        let (model, discriminator, place) = model(draft);
        api.models.push(model);
        pending.push((discriminator, place));
    }
    alias::end_circles(context, &mut api.models, &pending);
    alias::carry_rules(api);
    alias::leave_null_to_any(api);
    decide_unions(context, &mut api.models, &pending);
    discriminator_members::fix(&mut api.models);
    let is_root = |index: usize| wanted[index].named && !is_part;
    let roots = (0..wanted.len()).filter(|index| is_root(*index)).collect();
    let used = usage::drop_unused(api, &mut wanted, roots);
    if is_part {
        let places = pending.into_iter().map(|(_, place)| place);
        context.forget(&places.zip(used).collect::<Vec<_>>());
    }
    usage::mark(api);
    text_variants::tell_apart(api);
    rule_unions::mark(&mut api.models);
    usage::relax(&mut api.models);
    boxing::box_circles(&mut api.models);
    boxing::box_large(api);
    derive(&mut api.models);
    api.nesting = nesting::deepest(&api.models);
    let named = names::give(context, api, &wanted);
    context.dress(&mut api.models);
    let twins = Twins::find(&api.models, &named);
    features::give(context, api, &twins);
    twins.unite(&mut api.models);
}

/// What decides the name of a model.
struct Wanted {
    /// It has a name in the description.
    named: bool,
    /// The user wants it to have this one.
    asked: Option<Asked>,
}

/// What is left to decide about a union, and where the schema is.
type Pending<'a> = (Option<Discriminator<'a>>, Location);

fn model(draft: Draft<'_>) -> (Model, Option<Discriminator<'_>>, Location) {
    let built = match draft.state {
        State::Built(built) => *built,
        // Nothing is left unread but what led in a circle and was reported.
        State::Found | State::Building => Built {
            doc: None,
            deprecated: false,
            kind: ModelKind::Alias(Alias { value: plain(Type::Any) }),
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
        told_by_rules: false,
        in_parameter: false,
        features: Vec::new(),
    };
    (model, built.discriminator, draft.node.location)
}

fn decide_unions(context: &mut Context<'_>, models: &mut [Model], pending: &[Pending<'_>]) {
    for (index, (discriminator, place)) in pending.iter().enumerate() {
        let ModelKind::Union(union) = &models[index].kind else { continue };
        if let [_] = union.variants[..] {
            continue;
        }
        let union = union.clone();
        let decided = tagging::decide(context, models, &union, discriminator.as_ref(), place);
        models[index].kind = ModelKind::Union(decided);
    }
}

/// `Default` where everything may be left out, `Eq` where no number is a floating-point one.
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
        model.eq = !matches!(model.kind, ModelKind::Union(_)) && !has_float(model);
    }
    let mentioned: Vec<Vec<usize>> = models.iter().map(walk::mentions).collect();
    for group in cycles::groups(&mentioned) {
        let eq = group.iter().all(|member| models[*member].eq && mentioned[*member].iter().all(|id| models[*id].eq));
        for member in group {
            models[member].eq = eq;
        }
    }
}

fn has_float(model: &Model) -> bool {
    let mut found = false;
    walk::types_of(model, &mut |ty| found |= matches!(ty, Type::Float | Type::Double | Type::Any));
    found
}
