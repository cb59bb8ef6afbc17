//! Turns members that only hold a union's tag into constants.

use std::collections::BTreeMap;

use super::union_discriminators::is_tag;
use crate::ir::{Constant, EnumValues, Field, Model, ModelKind, Tagging, Type, Value};

/// Maximum length of alias chains.
const DEEPEST: usize = 16;

/// Fixes the tag of every struct that has the same tag in all unions.
pub(crate) fn fix(models: &mut [Model]) {
    let mut tags_of: BTreeMap<(usize, String), Vec<String>> = BTreeMap::new();
    for model in models.iter() {
        let ModelKind::Union(union) = &model.kind else { continue };
        let Tagging::Discriminator { member, tags, unmapped, .. } = &union.tagging else { continue };
        // The variant for other tags has no fixed tag.
        let variants = union.variants.iter().enumerate().filter(|(index, _)| *unmapped != Some(*index));
        for (index, variant) in variants {
            let Some(id) = resolved(models, &variant.value) else { continue };
            let known = tags_of.entry((id, member.clone())).or_default();
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
fn constant(models: &[Model], field: &Field, tag: &str) -> Option<Constant> {
    if field.constant.is_some() {
        return None;
    }
    let mut ty = &field.value.ty;
    for _ in 0..DEEPEST {
        let Type::Model(id) = ty else { break };
        match &models[id.0].kind {
            ModelKind::Alias(alias) => ty = &alias.value.ty,
            ModelKind::Enum(enum_) => {
                return match &enum_.values {
                    EnumValues::String(variants) => {
                        let variant = variants.iter().find(|variant| variant.value == tag)?;
                        Some(Constant::String(variant.value.clone()))
                    }
                    EnumValues::Integer(_, variants) => {
                        let variant = variants.iter().find(|variant| variant.value.to_string() == tag)?;
                        Some(Constant::Integer(variant.value))
                    }
                };
            }
            ModelKind::Struct(_) | ModelKind::Union(_) => return None,
        }
    }
    matches!(ty, Type::String).then(|| Constant::String(tag.to_owned()))
}

/// The model behind aliases.
fn resolved(models: &[Model], value: &Value) -> Option<usize> {
    let mut value = value;
    for _ in 0..DEEPEST {
        let Type::Model(id) = value.ty else { return None };
        match &models[id.0].kind {
            ModelKind::Alias(alias) => value = &alias.value,
            ModelKind::Struct(_) | ModelKind::Enum(_) | ModelKind::Union(_) => return Some(id.0),
        }
    }
    None
}
