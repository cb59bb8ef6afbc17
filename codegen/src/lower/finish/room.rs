//! Boxes: around values whose type would contain itself, and around large variants.

use crate::ir::{Model, ModelKind, Presence, Type, Value};

/// clippy's `large_enum_variant` allows 200 bytes between the largest variant and the next.
const LARGE: usize = 200;

/// Boxes what leads back to the model it is in without a list or a map between.
pub(super) fn box_circles(models: &mut [Model]) {
    let held: Vec<Vec<usize>> = models.iter().map(held).collect();
    for (index, model) in models.iter_mut().enumerate() {
        for value in held_values(model) {
            value.boxed = direct(value).into_iter().any(|id| reaches(&held, id, index));
        }
    }
}

/// Boxes large variants, so that a union is not as large as its largest.
pub(super) fn box_large(models: &mut [Model]) {
    let mut sizes = vec![None; models.len()];
    for index in 0..models.len() {
        if !matches!(models[index].kind, ModelKind::Union(_)) {
            continue;
        }
        // The sizes of inner unions count their boxes, so they come first.
        settle(models, index, &mut sizes);
    }
}

/// Finds how much room a model takes, boxing the large variants of unions on the way.
fn settle(models: &mut [Model], index: usize, sizes: &mut [Option<usize>]) -> usize {
    if let Some(size) = sizes[index] {
        return size;
    }
    // Only a box leads back here, so nobody asks for this one.
    sizes[index] = Some(8);
    for id in held(&models[index]) {
        settle(models, id, sizes);
    }
    if let ModelKind::Union(union) = &mut models[index].kind {
        for variant in &mut union.variants {
            variant.value.boxed |= bytes(&variant.value, sizes) > LARGE;
        }
    }
    let size = match &models[index].kind {
        ModelKind::Struct(struct_) => {
            let fields = struct_
                .fields
                .iter()
                .map(|field| bytes(&field.value, sizes) + if field.presence == Presence::Required { 0 } else { 8 });
            fields.sum::<usize>() + if struct_.additional.is_some() { 24 } else { 0 }
        }
        ModelKind::Enum(_) => 24,
        // The client's case for unknown values holds any JSON.
        ModelKind::Union(union) => {
            union.variants.iter().map(|variant| bytes(&variant.value, sizes)).max().unwrap_or(0).max(32) + 8
        }
        ModelKind::Alias(alias) => bytes(&alias.value, sizes),
    };
    sizes[index] = Some(size);
    size
}

fn bytes(value: &Value, sizes: &[Option<usize>]) -> usize {
    let own = match &value.ty {
        _ if value.boxed => 8,
        Type::Boolean | Type::Integer(_) | Type::Float | Type::Double | Type::Date | Type::Time | Type::Ipv4 => 8,
        Type::Decimal | Type::DecimalNumber | Type::DateTime | Type::DateTimeLocal | Type::Uuid | Type::Ipv6 => 16,
        Type::String | Type::Base64 | Type::Array(_) | Type::Map(_) => 24,
        Type::Tuple(places) => places.iter().map(|place| bytes(place, sizes)).sum(),
        // Nobody knows how large a type of another crate is.
        Type::Binary | Type::Any | Type::Foreign(_) => 32,
        Type::Duration => 64,
        Type::Model(id) => sizes[id.0].unwrap_or(8),
    };
    own + if value.nullable { 8 } else { 0 }
}

/// The models that a model holds in its own memory.
fn held(model: &Model) -> Vec<usize> {
    match &model.kind {
        ModelKind::Struct(struct_) => struct_.fields.iter().flat_map(|field| direct(&field.value)).collect(),
        ModelKind::Union(union) => union.variants.iter().flat_map(|variant| direct(&variant.value)).collect(),
        ModelKind::Alias(alias) => direct(&alias.value),
        ModelKind::Enum(_) => Vec::new(),
    }
}

/// The models that a value holds in its own memory.
fn direct(value: &Value) -> Vec<usize> {
    match &value.ty {
        _ if value.boxed => Vec::new(),
        Type::Model(id) => vec![id.0],
        Type::Tuple(places) => places.iter().flat_map(direct).collect(),
        _ => Vec::new(),
    }
}

/// The values that can be boxed: an alias is boxed where it is used.
fn held_values(model: &mut Model) -> Vec<&mut Value> {
    match &mut model.kind {
        ModelKind::Struct(struct_) => struct_.fields.iter_mut().map(|field| &mut field.value).collect(),
        ModelKind::Union(union) => union.variants.iter_mut().map(|variant| &mut variant.value).collect(),
        ModelKind::Alias(_) | ModelKind::Enum(_) => Vec::new(),
    }
}

fn reaches(held: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = std::collections::HashSet::from([from]);
    let mut next = vec![from];
    while let Some(index) = next.pop() {
        if index == to {
            return true;
        }
        next.extend(held[index].iter().copied().filter(|id| seen.insert(*id)));
    }
    false
}
