//! Turns members that only hold a union's tag into constants.

use std::collections::BTreeMap;

use super::draft::Draft;
use super::union_discriminators::is_tag;
use crate::ir::{Constant, Enum, Field, ModelKind, Tagging, Type, Value, kind, resolved};

/// Fixes the tag of every struct that has the same tag in all unions.
pub(crate) fn fix(models: &mut [Draft]) {
    let mut tags_of: BTreeMap<(usize, String), Vec<String>> = BTreeMap::new();
    for model in models.iter() {
        let ModelKind::Union(union) = &model.kind else { continue };
        let Tagging::Discriminator { member, tags, unmapped, .. } = &union.tagging else { continue };
        // The variant for other tags has no fixed tag.
        let variants = union.variants.iter().enumerate().filter(|(index, _)| *unmapped != Some(*index));
        for (index, variant) in variants {
            let Type::Model(id) = resolved(models, &variant.value.ty) else { continue };
            let known = tags_of.entry((id.0, member.clone())).or_default();
            let own = tags.iter().filter(|(_, of)| *of == index).map(|(tag, _)| tag);
            known.extend(own.filter(|tag| !known.contains(tag)).cloned().collect::<Vec<_>>());
        }
    }
    for ((id, member), tags) in tags_of {
        let ([tag], ModelKind::Struct(struct_)) = (&tags[..], &models[id].kind) else { continue };
        let position = struct_.fields.iter().position(|field| field.name.wire == member && is_tag(field));
        // Additional members would include a constant that a client does not read.
        let Some(position) = position.filter(|_| struct_.additional.is_none()) else { continue };
        let Some(constant) = constant(models, &struct_.fields[position], tag) else { continue };
        if let ModelKind::Struct(struct_) = &mut models[id].kind {
            let field = &mut struct_.fields[position];
            field.value = Value::plain(constant.ty());
            field.constant = Some(constant);
            field.default = None;
        }
    }
}

/// The tag as a constant of the member's type.
fn constant(models: &[Draft], field: &Field, tag: &str) -> Option<Constant> {
    if field.constant.is_some() {
        return None;
    }
    let ty = resolved(models, &field.value.ty);
    match kind(models, ty) {
        Some(ModelKind::Enum(enum_)) if enum_.variants.iter().all(|variant| variant.value != tag) => None,
        Some(ModelKind::Enum(Enum { integer: Some(_), .. })) => tag.parse().ok().map(Constant::Integer),
        Some(ModelKind::Enum(_)) => Some(Constant::String(tag.to_owned())),
        _ => (*ty == Type::String).then(|| Constant::String(tag.to_owned())),
    }
}
