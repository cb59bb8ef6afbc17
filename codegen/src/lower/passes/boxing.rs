//! Boxes recursive values, large variants, and huge members.

use super::cycles;
use super::draft::{Draft, Drafts};
use crate::ir::{
    Content, ContentKind, Failure, Form, ModelKind, Operation, Presence, Responses, Success, Type, Value, Xml,
};

/// clippy's `large_enum_variant` allows a difference of 200 bytes between the largest variants.
const LARGE: usize = 200;

/// Reading nested structs of this size takes a good part of a thread's stack.
const HUGE: usize = 4096;

/// Boxes values that contain their own model without a list or a map in between.
pub(crate) fn box_cycles(models: &mut [Draft]) {
    let held: Vec<Vec<usize>> = models.iter().map(held).collect();
    let mut group_of = vec![0; models.len()];
    for (number, group) in cycles::groups(&held).into_iter().enumerate() {
        for member in group {
            group_of[member] = number;
        }
    }
    for (index, model) in models.iter_mut().enumerate() {
        for value in held_values(model) {
            value.boxed = direct(value).into_iter().any(|id| group_of[id] == group_of[index]);
        }
    }
}

/// Boxes large variants, so that enums stay small, and huge members.
pub(crate) fn box_large(api: &mut Drafts) {
    let held: Vec<Vec<usize>> = api.models.iter().map(held).collect();
    // A model of unknown size is always boxed.
    let mut sizes = vec![8; api.models.len()];
    // Inner unions come first, because their boxes affect their sizes.
    for index in cycles::groups(&held).into_iter().flatten() {
        sizes[index] = size_of(&mut api.models[index], &sizes);
    }
    for operation in api.tags.iter_mut().chain(&mut api.webhooks).flat_map(|tag| &mut tag.operations) {
        for value in variants_of(operation) {
            value.boxed = bytes(value, &sizes) > LARGE;
        }
    }
}

/// The variants of enums made for an operation: of contents and of responses.
fn variants_of(operation: &mut Operation) -> Vec<&mut Value> {
    let Responses { success, failure } = &mut operation.responses;
    let is_choice = [matches!(success, Success::Enum { .. }), matches!(failure, Failure::Enum { .. })];
    let mut contents: Vec<&mut Content> = Vec::new();
    if let Some(body) = operation.request_body.as_mut().filter(|body| body.contents.len() > 1) {
        contents.extend(&mut body.contents);
    }
    for (responses, is_choice) in [success.responses_mut(), failure.responses_mut()].into_iter().zip(is_choice) {
        let chosen = responses.iter_mut().filter(|response| is_choice || response.contents.len() > 1);
        contents.extend(chosen.flat_map(|response| &mut response.contents));
    }
    let values = contents.into_iter().filter_map(|content| match &mut content.kind {
        ContentKind::Json(value) | ContentKind::Xml(Xml { value, .. }) | ContentKind::Form(Form { value, .. }) => {
            Some(value)
        }
        _ => None,
    });
    values.collect()
}

/// Computes the size of a model, and boxes its large variants and huge members.
fn size_of(model: &mut Draft, sizes: &[usize]) -> usize {
    if let ModelKind::Union(union) = &mut model.kind {
        for variant in &mut union.variants {
            variant.value.boxed |= bytes(&variant.value, sizes) > LARGE;
        }
    }
    if let ModelKind::Struct(struct_) = &mut model.kind {
        for field in &mut struct_.fields {
            field.value.boxed |= matches!(field.value.ty, Type::Model(_)) && bytes(&field.value, sizes) > HUGE;
        }
    }
    match &model.kind {
        ModelKind::Struct(struct_) => {
            let fields = struct_
                .fields
                .iter()
                .map(|field| bytes(&field.value, sizes) + if field.presence == Presence::Required { 0 } else { 8 });
            fields.sum::<usize>() + if struct_.additional.is_some() { 24 } else { 0 }
        }
        ModelKind::Enum(_) => 24,
        // The client's variant for unknown values holds JSON.
        ModelKind::Union(union) => {
            union.variants.iter().map(|variant| bytes(&variant.value, sizes)).max().unwrap_or(0).max(32) + 8
        }
        ModelKind::Alias(alias) => bytes(&alias.value, sizes),
    }
}

fn bytes(value: &Value, sizes: &[usize]) -> usize {
    let own = match &value.ty {
        _ if value.boxed => 8,
        Type::Boolean | Type::Integer(_) | Type::Float | Type::Double | Type::Date | Type::Time | Type::Ipv4 => 8,
        Type::Decimal | Type::DecimalNumber | Type::DateTime | Type::DateTimeLocal | Type::Uuid | Type::Ipv6 => 16,
        Type::String | Type::Base64 | Type::Array(_) | Type::Map(_) => 24,
        Type::Tuple(tuple) => {
            let places: usize = tuple.places.iter().map(|place| bytes(place, sizes)).sum();
            places + if tuple.further.is_some() { 24 } else { 0 }
        }
        // The size of a foreign type is unknown.
        Type::Binary | Type::Any | Type::Foreign(_) => 32,
        Type::Duration => 64,
        Type::Model(id) => sizes[id.0],
    };
    own + if value.nullable { 8 } else { 0 }
}

/// The models that a model contains inline.
fn held(model: &Draft) -> Vec<usize> {
    let mut values = model.kind.values();
    // Additional members are in a map.
    if matches!(&model.kind, ModelKind::Struct(struct_) if struct_.additional.is_some()) {
        values.pop();
    }
    values.into_iter().flat_map(direct).collect()
}

/// The models that a value contains inline.
fn direct(value: &Value) -> Vec<usize> {
    match &value.ty {
        _ if value.boxed => Vec::new(),
        Type::Model(id) => vec![id.0],
        Type::Tuple(tuple) => tuple.places.iter().flat_map(direct).collect(),
        _ => Vec::new(),
    }
}

/// The values that can be boxed; an alias is boxed where it is used.
fn held_values(model: &mut Draft) -> Vec<&mut Value> {
    match &mut model.kind {
        ModelKind::Struct(struct_) => struct_.fields.iter_mut().map(|field| &mut field.value).collect(),
        ModelKind::Union(union) => union.variants.iter_mut().map(|variant| &mut variant.value).collect(),
        ModelKind::Alias(_) | ModelKind::Enum(_) => Vec::new(),
    }
}
