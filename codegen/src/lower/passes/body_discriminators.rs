//! Body members by which the server tells operations of one route apart.

use super::draft::Drafts;
use crate::ir::{BodyDiscriminator, Field, ModelKind, Operation, Presence, Type, Value};

/// The body members that identify the operation among others of its route.
pub(crate) fn body_discriminators(
    api: &Drafts,
    operation: &Operation,
    of_route: &[&Operation],
) -> Vec<BodyDiscriminator> {
    let own = required_members(api, operation);
    let others = of_route.iter().filter(|other| !std::ptr::eq(**other, operation) && other.request_body.is_some());
    let others: Vec<_> = others.map(|other| required_members(api, other)).collect();
    let choices = own.iter().filter(|own| others.iter().any(|other| !takes_no_more(other, own)));
    let choices: Vec<_> = choices.filter(|own| !own.values.is_empty()).cloned().collect();
    if others.iter().all(|other| choices.iter().any(|choice| is_apart(other, choice))) {
        choices
    } else if choices.is_empty() {
        Vec::new()
    } else {
        // A request that lacks a required member belongs to another operation that allows these values.
        own
    }
}

/// The members that every possible body has.
fn required_members(api: &Drafts, operation: &Operation) -> Vec<BodyDiscriminator> {
    let mut contents = operation
        .request_body
        .iter()
        .flat_map(|body| &body.contents)
        .map(|content| content.kind.whole().map(|value| members_of(api, value)).unwrap_or_default());
    let first = contents.next().unwrap_or_default();
    if contents.all(|other| other == first) { first } else { Vec::new() }
}

fn members_of(api: &Drafts, body: &Value) -> Vec<BodyDiscriminator> {
    let Some(ModelKind::Struct(struct_)) = api.kind(&body.ty) else { return Vec::new() };
    if body.nullable {
        return Vec::new();
    }
    let required = struct_.fields.iter().filter(|field| field.presence == Presence::Required && !field.read_only);
    required.map(|field| BodyDiscriminator { member: field.name.wire.clone(), values: values_of(api, field) }).collect()
}

/// The texts that a member allows, if they are listed.
fn values_of(api: &Drafts, field: &Field) -> Vec<String> {
    if let Some(constant) = &field.constant {
        return vec![constant.text()];
    }
    listed_texts(api, &field.value.ty).unwrap_or_default()
}

/// Whether all values of the others are values of this discriminator.
fn takes_no_more(others: &[BodyDiscriminator], discriminator: &BodyDiscriminator) -> bool {
    listed(others, discriminator).is_some_and(|values| values.iter().all(|value| discriminator.values.contains(value)))
}

/// Whether no value of the others is a value of this discriminator.
fn is_apart(others: &[BodyDiscriminator], discriminator: &BodyDiscriminator) -> bool {
    listed(others, discriminator).is_some_and(|values| !values.iter().any(|value| discriminator.values.contains(value)))
}

/// The values of the discriminator's member in the others; `None`: any.
fn listed<'m>(others: &'m [BodyDiscriminator], discriminator: &BodyDiscriminator) -> Option<&'m [String]> {
    let found = others.iter().find(|other| other.member == discriminator.member && !other.values.is_empty());
    found.map(|other| other.values.as_slice())
}

/// The texts of an enum.
pub(crate) fn listed_texts(api: &Drafts, ty: &Type) -> Option<Vec<String>> {
    match api.kind(ty)? {
        ModelKind::Enum(enum_) => enum_.all_texts(),
        ModelKind::Struct(_) | ModelKind::Union(_) | ModelKind::Alias(_) => None,
    }
}
