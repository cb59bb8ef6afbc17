//! Which models are used, and in which directions.

use super::draft::{Draft, Drafts};
use crate::ir::{Absence, ContentKind, Field, ModelId, ModelKind, Operation, PartKind, Presence, Type, Value};

/// How models are reached.
#[derive(Default)]
struct Reached {
    request: Vec<usize>,
    response: Vec<usize>,
    parameter: Vec<usize>,
    webhook: Vec<usize>,
}

/// Drops models that neither `roots` nor operations use, such as those of parameters that got a simpler type.
/// Returns which models were used.
pub(crate) fn drop_unused(api: &mut Drafts, roots: Vec<usize>) -> Vec<bool> {
    let mut next = roots;
    next.extend(api.operations_and_webhooks().flat_map(Operation::values).flat_map(Value::models));
    let used = reached(&mentions(&api.models), next);
    let mut kept = 0;
    let ids: Vec<ModelId> = used
        .iter()
        .map(|used| {
            kept += usize::from(*used);
            ModelId(kept.saturating_sub(1))
        })
        .collect();
    let mut keep = used.iter();
    api.models.retain(|_| keep.next().copied().unwrap_or(true));
    api.visit_mut(&mut |value| {
        if let Type::Model(id) = &mut value.ty {
            *id = ids[id.0];
        }
    });
    used
}

/// Marks the directions of models, and their use in parameters; models that no operation reaches go both
/// ways.
pub(crate) fn mark(api: &mut Drafts) {
    let mut reached = Reached::default();
    for operation in api.operations() {
        let Reached { request, response, parameter, .. } = &mut reached;
        sent(operation, request, parameter);
        answered(operation, response, parameter);
    }
    for operation in api.webhooks.iter().flat_map(|tag| &tag.operations) {
        let Reached { request, response, parameter, webhook } = &mut reached;
        sent(operation, webhook, parameter);
        answered(operation, request, parameter);
        response.extend(webhook.iter());
    }
    let models = &mut api.models;
    let mentions = mentions(models);
    let spread = |models: &mut [Draft], from, flag: fn(&mut Draft) -> &mut bool| {
        for (model, reached) in models.iter_mut().zip(self::reached(&mentions, from)) {
            *flag(model) |= reached;
        }
    };
    spread(models, reached.request, |model| &mut model.in_request);
    spread(models, reached.response, |model| &mut model.in_response);
    spread(models, reached.parameter, |model| &mut model.in_parameter);
    spread(models, reached.webhook, |model| &mut model.in_webhook);
    // Then the models that they mention.
    let unreached: Vec<usize> =
        (0..models.len()).filter(|index| !models[*index].in_request && !models[*index].in_response).collect();
    spread(models, unreached.clone(), |model| &mut model.in_request);
    spread(models, unreached, |model| &mut model.in_response);
}

/// The models that the caller of an operation writes.
fn sent(operation: &Operation, into: &mut Vec<usize>, as_parameter: &mut Vec<usize>) {
    for parameter in &operation.parameters {
        as_parameter.extend(parameter.value.models());
        into.extend(parameter.value.models());
    }
    for content in operation.request_body.iter().flat_map(|body| &body.contents) {
        mentioned(&content.kind, into, as_parameter);
    }
}

/// The models that the receiver of an operation writes.
fn answered(operation: &Operation, into: &mut Vec<usize>, as_parameter: &mut Vec<usize>) {
    for response in operation.responses.all() {
        for header in &response.headers {
            as_parameter.extend(header.value.models());
            into.extend(header.value.models());
        }
        for content in &response.contents {
            mentioned(&content.kind, into, as_parameter);
        }
    }
}

fn mentioned(kind: &ContentKind, body: &mut Vec<usize>, parameter: &mut Vec<usize>) {
    body.extend(kind.values().into_iter().flat_map(Value::models));
    match kind {
        ContentKind::Form(form) => parameter.extend(form.value.models()),
        ContentKind::Multipart(multipart) => {
            let texts = multipart.parts.iter().filter(|part| part.kind == PartKind::Text);
            parameter.extend(texts.flat_map(|part| part.field.value.models()));
        }
        _ => {}
    }
}

/// The models that each model mentions.
pub(crate) fn mentions(models: &[Draft]) -> Vec<Vec<usize>> {
    models.iter().map(|model| model.kind.models()).collect()
}

/// The models reached from the operations.
pub(crate) fn reached_by(operations: &[Operation], mentions: &[Vec<usize>]) -> Vec<bool> {
    let mut next = Vec::new();
    for operation in operations {
        // Parameters are also among the others.
        sent(operation, &mut next, &mut Vec::new());
        answered(operation, &mut next, &mut Vec::new());
    }
    reached(mentions, next)
}

/// The models in `next`, and all that they reach.
pub(crate) fn reached(mentions: &[Vec<usize>], mut next: Vec<usize>) -> Vec<bool> {
    let mut reached = vec![false; mentions.len()];
    while let Some(index) = next.pop() {
        if !std::mem::replace(&mut reached[index], true) {
            next.extend(&mentions[index]);
        }
    }
    reached
}

/// Decides what the absence of members means. A required member that one direction never carries is optional in
/// the struct for both.
pub(crate) fn decide_absence(api: &mut Drafts) {
    let is_any = |field: &Field| *api.resolved(&field.value.ty) == Type::Any;
    let of_any = |model: &Draft| match &model.kind {
        ModelKind::Struct(struct_) => struct_.fields.iter().map(is_any).collect(),
        ModelKind::Enum(_) | ModelKind::Union(_) | ModelKind::Alias(_) => Vec::new(),
    };
    let of_any: Vec<Vec<bool>> = api.models.iter().map(of_any).collect();
    for (model, of_any) in api.models.iter_mut().zip(of_any) {
        let (in_request, in_response) = (model.in_request, model.in_response);
        let ModelKind::Struct(struct_) = &mut model.kind else { continue };
        for (field, is_any) in struct_.fields.iter_mut().zip(of_any) {
            let mut in_requests = false;
            if (field.read_only && in_request) || (field.write_only && in_response) {
                in_requests = in_request && field.is_required() && !field.read_only;
                relax_field(field);
            }
            field.absence_on_server = match field.presence {
                Presence::Required | Presence::Nullable => Absence::Violation,
                Presence::Optional | Presence::OptionalNullable if in_requests => Absence::Tolerated,
                Presence::Optional | Presence::OptionalNullable => Absence::Allowed,
            };
            field.absence_on_client = match field.presence {
                Presence::Required if field.constant.is_none() && !is_any => Absence::Violation,
                // A client takes a missing member for the `null` that it may be.
                Presence::Required | Presence::Nullable => Absence::Tolerated,
                Presence::Optional | Presence::OptionalNullable => Absence::Allowed,
            };
        }
    }
}

fn relax_field(field: &mut Field) {
    field.presence = match field.presence {
        Presence::Required | Presence::Optional => Presence::Optional,
        Presence::Nullable | Presence::OptionalNullable => Presence::OptionalNullable,
    };
}
