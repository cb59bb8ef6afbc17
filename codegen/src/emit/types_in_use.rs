//! All types that the description uses.

use crate::ir::{Api, Content, ContentKind, Form, Model, ModelKind, Operation, Type, Value};

/// Every type of every value, including types inside arrays and maps.
pub(crate) fn types(api: &Api) -> Vec<&Type> {
    let mut types = Vec::new();
    for value in values(api) {
        inside(&value.ty, &mut |ty| types.push(ty));
    }
    types
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

/// The values of an operation's request.
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
