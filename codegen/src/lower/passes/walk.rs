//! Visits every value of models and operations.

use crate::ir::{Api, ContentKind, Failure, Form, Model, ModelKind, Operation, Type, Value};

/// Visits every value in the API, inner ones after outer ones.
pub(crate) fn api(api: &mut Api, visit: &mut dyn FnMut(&mut Value)) {
    for model in &mut api.models {
        kind(&mut model.kind, visit);
    }
    operations(api, visit);
}

/// Every value in the operations and webhooks.
pub(crate) fn operations(api: &mut Api, visit: &mut dyn FnMut(&mut Value)) {
    for operation in api.tags.iter_mut().chain(&mut api.webhooks).flat_map(|tag| &mut tag.operations) {
        self::operation(operation, visit);
    }
}

/// Every value in a model.
pub(crate) fn kind(kind: &mut ModelKind, visit: &mut dyn FnMut(&mut Value)) {
    match kind {
        ModelKind::Struct(struct_) => {
            for field in &mut struct_.fields {
                value(&mut field.value, visit);
            }
            if let Some(additional) = &mut struct_.additional {
                value(&mut additional.value, visit);
            }
        }
        ModelKind::Union(union) => {
            for variant in &mut union.variants {
                value(&mut variant.value, visit);
            }
        }
        ModelKind::Alias(alias) => value(&mut alias.value, visit),
        ModelKind::Enum(_) => {}
    }
}

fn operation(operation: &mut Operation, visit: &mut dyn FnMut(&mut Value)) {
    for parameter in &mut operation.parameters {
        value(&mut parameter.value, visit);
    }
    let bodies = operation.request_body.iter_mut().flat_map(|body| &mut body.contents);
    let mut headers = Vec::new();
    let mut contents: Vec<_> = bodies.collect();
    for response in operation.responses.all_mut() {
        headers.extend(&mut response.headers);
        contents.extend(&mut response.contents);
    }
    for header in headers {
        value(&mut header.value, visit);
    }
    for content in contents {
        match &mut content.kind {
            ContentKind::Json(body)
            | ContentKind::Form(Form { value: body, .. })
            | ContentKind::JsonLines(body)
            | ContentKind::Events(Some(body)) => value(body, visit),
            ContentKind::Multipart(multipart) => {
                for part in &mut multipart.parts {
                    value(&mut part.field.value, visit);
                }
            }
            ContentKind::Text(_) | ContentKind::Bytes | ContentKind::Events(None) => {}
        }
    }
    if let Failure::Shared { value: shared, .. } = &mut operation.responses.failure {
        value(shared, visit);
    }
}

fn value(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    visit(value);
    match &mut value.ty {
        Type::Array(item) | Type::Map(item) => self::value(item, visit),
        Type::Tuple(places) => places.iter_mut().for_each(|place| self::value(place, visit)),
        _ => {}
    }
}

/// Visits every type in a value, inner ones after outer ones.
fn types(value: &Value, visit: &mut dyn FnMut(&Type)) {
    visit(&value.ty);
    match &value.ty {
        Type::Array(item) | Type::Map(item) => types(item, visit),
        Type::Tuple(places) => places.iter().for_each(|place| types(place, visit)),
        _ => {}
    }
}

/// Every type in a model.
pub(crate) fn types_of(model: &Model, visit: &mut dyn FnMut(&Type)) {
    match &model.kind {
        ModelKind::Struct(struct_) => {
            struct_.fields.iter().for_each(|field| types(&field.value, visit));
            struct_.additional.iter().for_each(|additional| types(&additional.value, visit));
        }
        ModelKind::Union(union) => union.variants.iter().for_each(|variant| types(&variant.value, visit)),
        ModelKind::Alias(alias) => types(&alias.value, visit),
        ModelKind::Enum(_) => {}
    }
}

/// The models that a value mentions, including those in arrays and maps.
pub(crate) fn mentioned(value: &Value, into: &mut Vec<usize>) {
    types(value, &mut |ty| into.extend(model(ty)));
}

fn model(ty: &Type) -> Option<usize> {
    match ty {
        Type::Model(id) => Some(id.0),
        _ => None,
    }
}

/// The models that a model mentions.
pub(crate) fn mentions(model: &Model) -> Vec<usize> {
    let mut ids = Vec::new();
    types_of(model, &mut |ty| ids.extend(self::model(ty)));
    ids
}
