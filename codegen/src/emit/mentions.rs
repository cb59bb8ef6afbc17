//! What the description mentions anywhere: types, and models whose values are checked together with others.

use std::collections::BTreeSet;

use super::profile::Side;
use crate::ir::{Api, Content, ContentKind, Form, Model, ModelId, ModelKind, Operation, Type, Value};

/// Types inside types inside types are asked this deep.
const DEEPEST: usize = 16;

/// Every type that some value has, the types inside arrays and maps included.
pub(crate) fn types(api: &Api) -> Vec<&Type> {
    let mut types = Vec::new();
    for value in values(api) {
        inside(&value.ty, &mut |ty| types.push(ty));
    }
    types
}

/// The models that a side asks whether they keep rules: what operations are sent, and what is inside of arrays and maps
/// with rules.
pub(crate) fn checked(api: &Api, side: Side) -> BTreeSet<ModelId> {
    let mut checked = BTreeSet::new();
    let operations = api.operations_and_webhooks().filter(|_| side == Side::Server);
    let webhooks = api.webhooks.iter().flat_map(|tag| &tag.operations);
    for value in operations.chain(webhooks).flat_map(sent) {
        insert_models(api, &value.ty, 0, &mut checked);
    }
    let models: Vec<_> = api.models.iter().filter(|model| side.checks(model)).collect();
    for value in models.iter().flat_map(|model| held(model)) {
        if has_rules(api, value, 0) {
            insert_models(api, &value.ty, 0, &mut checked);
        }
    }
    for additional in models.into_iter().filter_map(Model::additional) {
        if !additional.rules.is_empty() {
            insert_models(api, &additional.value.ty, 0, &mut checked);
        }
    }
    checked
}

/// Whether there are rules for the value, or for what is inside of it.
fn has_rules(api: &Api, value: &Value, depth: usize) -> bool {
    if depth > DEEPEST {
        return false;
    }
    !value.rules.is_empty()
        || match &value.ty {
            Type::Array(item) | Type::Map(item) => has_rules(api, item, depth + 1),
            Type::Tuple(places) => places.iter().any(|place| has_rules(api, place, depth + 1)),
            Type::Model(id) => match &api.model(*id).kind {
                ModelKind::Alias(alias) => has_rules(api, &alias.value, depth + 1),
                ModelKind::Struct(_) | ModelKind::Enum(_) | ModelKind::Union(_) => false,
            },
            _ => false,
        }
}

fn insert_models(api: &Api, ty: &Type, depth: usize, models: &mut BTreeSet<ModelId>) {
    if depth > DEEPEST {
        return;
    }
    inside(ty, &mut |ty| {
        if let Type::Model(id) = ty {
            models.insert(*id);
            if let ModelKind::Alias(alias) = &api.model(*id).kind {
                insert_models(api, &alias.value.ty, depth + 1, models);
            }
        }
    });
}

fn inside<'api>(ty: &'api Type, see: &mut dyn FnMut(&'api Type)) {
    see(ty);
    match ty {
        Type::Array(item) | Type::Map(item) => inside(&item.ty, see),
        Type::Tuple(places) => places.iter().for_each(|place| inside(&place.ty, see)),
        _ => {}
    }
}

/// The values of models, parameters, bodies and headers.
fn values(api: &Api) -> Vec<&Value> {
    let mut values: Vec<_> = api.models.iter().flat_map(held).collect();
    for operation in api.operations_and_webhooks() {
        values.extend(sent(operation));
        for response in operation.responses.all() {
            values.extend(response.headers.iter().map(|header| &header.value));
            values.extend(response.contents.iter().flat_map(content));
        }
    }
    values
}

/// The values in a model.
fn held(model: &Model) -> Vec<&Value> {
    match &model.kind {
        ModelKind::Struct(struct_) => {
            let additional = struct_.additional.iter().map(|additional| &additional.value);
            struct_.fields.iter().map(|field| &field.value).chain(additional).collect()
        }
        ModelKind::Union(union) => union.variants.iter().map(|variant| &variant.value).collect(),
        ModelKind::Alias(alias) => vec![&alias.value],
        ModelKind::Enum(_) => Vec::new(),
    }
}

/// The values that an operation is sent.
fn sent(operation: &Operation) -> Vec<&Value> {
    let parameters = operation.parameters.iter().map(|parameter| &parameter.value);
    let body = operation.request_body.iter().flat_map(|body| &body.contents);
    parameters.chain(body.flat_map(content)).collect()
}

fn content(content: &Content) -> Vec<&Value> {
    match &content.kind {
        ContentKind::Json(value)
        | ContentKind::Form(Form { value, .. })
        | ContentKind::JsonLines(value)
        | ContentKind::Events(Some(value)) => vec![value],
        ContentKind::Multipart(multipart) => multipart.parts.iter().map(|part| &part.field.value).collect(),
        ContentKind::Text(_) | ContentKind::Bytes | ContentKind::Events(None) => Vec::new(),
    }
}
