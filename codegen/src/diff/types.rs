//! Types: whether one allows all values of another.

use crate::ir::{Api, IntegerKind, JsonType, Model, ModelId, ModelKind, Tagging, Tuple, Type};

/// How a new type relates to an old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// The same, or models of the same kind, whose contents are compared separately.
    Same,
    /// Allows every old value, and more.
    Wider,
    /// Allows fewer values.
    Narrower,
    /// Neither.
    Other,
}

/// A type and its description.
type In<'a> = (&'a Api, &'a Type);

/// The model behind a type.
pub(super) fn model<'a>(api: &'a Api, ty: &Type) -> Option<(ModelId, &'a Model)> {
    match ty {
        Type::Model(id) => Some((*id, api.model(*id))),
        _ => None,
    }
}

/// Whether the resolved type is named `rust`, directly or through aliases.
pub(super) fn is_called(api: &Api, rust: &str, ty: &Type) -> bool {
    let index = api.models.binary_search_by(|model| model.name.rust.as_str().cmp(rust));
    index.is_ok_and(|index| api.resolved(&Type::Model(ModelId(index))) == ty)
}

/// Two models whose contents can be compared.
pub(super) fn pair(old: In<'_>, new: In<'_>) -> Option<(ModelId, ModelId)> {
    let (left, left_model) = model(old.0, old.0.resolved(old.1))?;
    let (right, right_model) = model(new.0, new.0.resolved(new.1))?;
    let is_same = match (&left_model.kind, &right_model.kind) {
        (ModelKind::Struct(_), ModelKind::Struct(_)) | (ModelKind::Union(_), ModelKind::Union(_)) => true,
        (ModelKind::Enum(old), ModelKind::Enum(new)) => old.integer.is_some() == new.integer.is_some(),
        _ => false,
    };
    is_same.then_some((left, right))
}

/// Whether both are spelled alike in Rust, apart from the contents of models.
pub(super) fn is_same_shape(old: In<'_>, new: In<'_>) -> bool {
    relation((old.0, old.0.resolved(old.1)), (new.0, new.0.resolved(new.1))) == Relation::Same
}

/// How tuples with the same places are related by the number of items that they allow.
fn of_counts(old: &Tuple, new: &Tuple) -> Relation {
    let allows_more =
        |tuple: &Tuple, than: &Tuple| tuple.least < than.least || tuple.further.is_some() && than.further.is_none();
    match (allows_more(new, old), allows_more(old, new)) {
        (false, false) => Relation::Same,
        (true, false) => Relation::Wider,
        (false, true) => Relation::Narrower,
        (true, true) => Relation::Other,
    }
}

/// How `new` relates to `old`; both types are resolved.
pub(super) fn relation(old: In<'_>, new: In<'_>) -> Relation {
    if pair(old, new).is_some() {
        return Relation::Same;
    }
    match (old.1, new.1) {
        // The values of another crate's type are unknown; on the wire, the schema decides.
        (Type::Foreign(_), _) | (_, Type::Foreign(_)) => {
            return if json_type(old) == json_type(new) { Relation::Same } else { Relation::Other };
        }
        (Type::Model(_), _) | (_, Type::Model(_)) => {}
        (Type::Array(left), Type::Array(right)) | (Type::Map(left), Type::Map(right)) => {
            return relation((old.0, old.0.resolved(&left.ty)), (new.0, new.0.resolved(&right.ty)));
        }
        (Type::Tuple(left), Type::Tuple(right)) if left.places.len() == right.places.len() => {
            let mut items = left
                .values()
                .zip(right.values())
                .map(|(left, right)| relation((old.0, old.0.resolved(&left.ty)), (new.0, new.0.resolved(&right.ty))));
            if items.all(|relation| relation == Relation::Same) {
                return of_counts(left, right);
            }
        }
        (left, right) if left == right => return Relation::Same,
        _ => {}
    }
    if allows(new, old) {
        Relation::Wider
    } else if allows(old, new) {
        Relation::Narrower
    } else {
        Relation::Other
    }
}

/// Whether every value of `small` is one of `large`; the two are not equal.
fn allows(large: In<'_>, small: In<'_>) -> bool {
    match (large.1, small.1) {
        (Type::Any, _)
        | (Type::Double | Type::Float | Type::DecimalNumber, Type::Integer(_))
        | (Type::Double | Type::DecimalNumber, Type::Float) => true,
        (Type::String, small_type) => is_text(small_type) || matches!(values(small), Some(Type::String)),
        (Type::Integer(large), Type::Integer(small)) => large.holds(*small),
        (Type::Integer(large), _) => matches!(values(small), Some(Type::Integer(small)) if large.holds(small)),
        (Type::Model(id), _) => match &large.0.model(*id).kind {
            ModelKind::Union(union) => {
                // With a discriminator, the value would need the tag, too.
                !matches!(union.tagging, Tagging::Discriminator { .. })
                    && union.variants.iter().any(|variant| is_same_variant((large.0, &variant.value.ty), small))
            }
            ModelKind::Struct(_) | ModelKind::Enum(_) | ModelKind::Alias(_) => false,
        },
        _ => false,
    }
}

/// Whether the variant holds the type itself or the model of that name.
fn is_same_variant(variant: In<'_>, ty: In<'_>) -> bool {
    match (model(variant.0, variant.0.resolved(variant.1)), model(ty.0, ty.1)) {
        (Some((_, left)), Some((_, right))) => left.name.wire == right.name.wire,
        (None, None) => variant.0.resolved(variant.1) == ty.1,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The type of an enum's values.
fn values((api, ty): In<'_>) -> Option<Type> {
    match api.kind(ty)? {
        ModelKind::Enum(enum_) => Some(enum_.ty()),
        ModelKind::Struct(_) | ModelKind::Union(_) | ModelKind::Alias(_) => None,
    }
}

/// The JSON type of the values, if they have only one.
fn json_type((api, ty): In<'_>) -> Option<JsonType> {
    match model(api, ty).map(|(_, model)| &model.kind) {
        None => ty.json(),
        Some(ModelKind::Struct(_)) => Some(JsonType::Object),
        Some(ModelKind::Enum(enum_)) => enum_.ty().json(),
        Some(ModelKind::Union(_) | ModelKind::Alias(_)) => None,
    }
}

/// Whether the type is a string on the wire.
fn is_text(ty: &Type) -> bool {
    ty.json() == Some(JsonType::String) && !matches!(ty, Type::String | Type::Binary | Type::Foreign(_))
}

/// The name in messages: the format that the description gives, or the model.
pub(super) fn text(api: &Api, ty: &Type) -> String {
    match ty {
        Type::Boolean => "boolean".to_owned(),
        Type::Integer(kind) => format!("integer ({})", integer(*kind)),
        Type::Float => "number (float)".to_owned(),
        Type::Double => "number".to_owned(),
        Type::Decimal => "string (decimal)".to_owned(),
        Type::DecimalNumber => "number (decimal)".to_owned(),
        Type::String => "string".to_owned(),
        Type::Date => "string (date)".to_owned(),
        Type::Time => "string (time)".to_owned(),
        Type::DateTime => "string (date-time)".to_owned(),
        Type::DateTimeLocal => "string (date-time-local)".to_owned(),
        Type::Duration => "string (duration)".to_owned(),
        Type::Uuid => "string (uuid)".to_owned(),
        Type::Ipv4 => "string (ipv4)".to_owned(),
        Type::Ipv6 => "string (ipv6)".to_owned(),
        Type::Base64 => "string (byte)".to_owned(),
        Type::Binary => "string (binary)".to_owned(),
        Type::Any => "any value".to_owned(),
        Type::Array(item) => format!("array of {}", text(api, &item.ty)),
        Type::Tuple(tuple) => {
            let (required, optional) = tuple.places.split_at(tuple.least);
            let mut places: Vec<_> = required.iter().map(|place| text(api, &place.ty)).collect();
            places.extend(optional.iter().map(|place| format!("optional {}", text(api, &place.ty))));
            places.extend(tuple.further.iter().map(|item| format!("further {}", text(api, &item.ty))));
            format!("tuple of {}", places.join(", "))
        }
        Type::Map(value) => format!("map of {}", text(api, &value.ty)),
        Type::Model(id) => api.model(*id).name.rust.clone(),
        Type::Foreign(foreign) => foreign.text(),
    }
}

fn integer(kind: IntegerKind) -> &'static str {
    match kind {
        IntegerKind::I8 => "int8",
        IntegerKind::I16 => "int16",
        IntegerKind::I32 => "int32",
        IntegerKind::I64 => "int64",
        IntegerKind::U8 => "uint8",
        IntegerKind::U16 => "uint16",
        IntegerKind::U32 => "uint32",
        IntegerKind::U64 => "uint64",
    }
}
