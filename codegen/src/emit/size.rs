//! How much room a value takes, to keep the variants of an enum alike.

use crate::ir::{Api, ModelKind, Presence, Type, Value};

/// clippy's `large_enum_variant` allows 200 bytes between the largest variant and the next.
const LARGE: usize = 200;

/// Whether a variant should hold the value in a `Box`.
pub(crate) fn is_large(api: &Api, value: &Value) -> bool {
    bytes(api, value) >= LARGE
}

/// At most how many bytes the value takes.
fn bytes(api: &Api, value: &Value) -> usize {
    let own = if value.boxed { 8 } else { type_bytes(api, &value.ty) };
    own + usize::from(value.nullable) * 8
}

fn type_bytes(api: &Api, ty: &Type) -> usize {
    match ty {
        Type::Boolean | Type::Integer(_) | Type::Float | Type::Double | Type::Date | Type::Time | Type::Ipv4 => 8,
        Type::Decimal | Type::DecimalNumber | Type::DateTime | Type::DateTimeLocal | Type::Uuid | Type::Ipv6 => 16,
        Type::String | Type::Base64 | Type::Array(_) | Type::Map(_) => 24,
        Type::Tuple(places) => places.iter().map(|place| bytes(api, place)).sum(),
        // Nobody knows how large a type of another crate is.
        Type::Binary | Type::Any | Type::Foreign(_) => 32,
        Type::Duration => 64,
        Type::Model(id) => match &api.model(*id).kind {
            ModelKind::Struct(struct_) => {
                let fields = struct_.fields.iter().map(|field| {
                    let absent = usize::from(field.presence != Presence::Required) * 8;
                    bytes(api, &field.value) + absent
                });
                fields.sum::<usize>() + usize::from(struct_.additional.is_some()) * 24
            }
            ModelKind::Enum(_) => 24,
            ModelKind::Union(union) => {
                union.variants.iter().map(|variant| bytes(api, &variant.value)).max().unwrap_or(0) + 8
            }
            ModelKind::Alias(alias) => bytes(api, &alias.value),
        },
    }
}
