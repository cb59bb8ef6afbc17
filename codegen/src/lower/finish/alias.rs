//! Aliases: circles of them are ended, their rules go where they are used.

use std::collections::HashSet;

use super::Pending;
use crate::diagnostic::Code;
use crate::ir::{Alias, Api, JsonType, Model, ModelKind, Presence, Rule, Tagging, Type, Union, Value, Variant};
use crate::lower::schema::plain;
use crate::lower::{Context, walk};

/// An alias cannot contain itself: `Tree: { type: array, items: { $ref: Tree } }` becomes a union of one variant.
pub(super) fn end_circles(context: &mut Context<'_>, models: &mut [Model], pending: &[Pending<'_>]) {
    for index in 0..models.len() {
        if !is_in_circle(models, index) {
            continue;
        }
        let ModelKind::Alias(alias) = &models[index].kind else { continue };
        let (rust, ty) = match &alias.value.ty {
            Type::Array(_) | Type::Tuple(_) => ("Items", JsonType::Array),
            Type::Map(_) => ("Members", JsonType::Object),
            _ => {
                context.report(Code::UnresolvedReference, &pending[index].1, "this schema refers only to itself");
                models[index].kind = ModelKind::Alias(Alias { value: plain(Type::Any) });
                continue;
            }
        };
        let variant = Variant { rust: rust.to_owned(), doc: None, value: alias.value.clone() };
        models[index].kind = ModelKind::Union(Union { variants: vec![variant], tagging: Tagging::JsonType(vec![ty]) });
    }
}

/// Whether aliases alone lead from the alias back to itself. Circles through the models before it have been ended.
fn is_in_circle(models: &[Model], start: usize) -> bool {
    let mut seen = HashSet::new();
    let mut next = vec![start];
    while let Some(index) = next.pop() {
        let ModelKind::Alias(_) = &models[index].kind else { continue };
        for id in walk::mentions(&models[index]) {
            if id == start {
                return true;
            }
            if id > start && matches!(models[id].kind, ModelKind::Alias(_)) && seen.insert(id) {
                next.push(id);
            }
        }
    }
    false
}

/// A value whose type is an alias is checked as the alias says.
pub(super) fn carry_rules(api: &mut Api) {
    let rules: Vec<Vec<Rule>> = (0..api.models.len()).map(|index| rules_of(&api.models, index)).collect();
    walk::api(api, &mut |value: &mut Value| {
        if let Type::Model(id) = value.ty
            && value.rules.is_empty()
        {
            value.rules.clone_from(&rules[id.0]);
        }
    });
}

/// Any JSON value may be `null`, so nothing has to be put around it.
pub(super) fn leave_null_to_any(api: &mut Api) {
    let any: Vec<bool> = (0..api.models.len()).map(|index| is_any(&api.models, index)).collect();
    let is_any = |ty: &Type| match ty {
        Type::Any => true,
        Type::Model(id) => any[id.0],
        _ => false,
    };
    walk::api(api, &mut |value: &mut Value| value.nullable &= !is_any(&value.ty));
    for model in &mut api.models {
        let ModelKind::Struct(struct_) = &mut model.kind else { continue };
        for field in struct_.fields.iter_mut().filter(|field| is_any(&field.value.ty)) {
            field.presence = match field.presence {
                Presence::Required | Presence::Nullable => Presence::Required,
                Presence::Optional | Presence::OptionalNullable => Presence::Optional,
            };
        }
    }
}

fn is_any(models: &[Model], mut index: usize) -> bool {
    // Circles of aliases have been ended.
    while let ModelKind::Alias(alias) = &models[index].kind {
        match &alias.value.ty {
            Type::Any => return true,
            Type::Model(id) => index = id.0,
            _ => return false,
        }
    }
    false
}

fn rules_of(models: &[Model], start: usize) -> Vec<Rule> {
    let mut index = start;
    // Circles of aliases have been ended.
    while let ModelKind::Alias(alias) = &models[index].kind {
        match &alias.value.ty {
            Type::Model(id) => index = id.0,
            _ => return alias.value.rules.clone(),
        }
    }
    Vec::new()
}
