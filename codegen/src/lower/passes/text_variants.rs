//! Orders the variants of unions in parameters, where a number is also a text.

use super::draft::Drafts;
use crate::ir::{JsonType, ModelKind, Tagging, Type, Union, Variant};

/// Moves strings after numbers and booleans, which would otherwise never match, and marks numbers that must
/// be written in canonical form.
pub(crate) fn order(api: &mut Drafts) {
    for index in 0..api.models.len() {
        let model = &api.models[index];
        let ModelKind::Union(union) = &model.kind else { continue };
        if model.in_parameter {
            let exact: Vec<bool> = union.variants.iter().map(|variant| may_be_text(api, union, variant)).collect();
            if let ModelKind::Union(union) = &mut api.models[index].kind {
                union.variants.iter_mut().zip(exact).for_each(|(variant, exact)| variant.exact = exact);
                sort(union);
            }
        }
    }
}

/// Whether it is a number or formatted text next to a plain string variant.
fn may_be_text(api: &Drafts, union: &Union, variant: &Variant) -> bool {
    let is_written_so = |ty: &Type| match ty.json() {
        Some(JsonType::Number | JsonType::String) => {
            !matches!(ty, Type::String | Type::Base64 | Type::Binary | Type::Foreign(_))
        }
        _ => false,
    };
    let is_text =
        |other: &Variant| matches!(api.resolved(&other.value.ty), Type::String) && other.value.rules.is_empty();
    !variant.value.nullable && is_written_so(api.resolved(&variant.value.ty)) && union.variants.iter().any(is_text)
}

fn sort(union: &mut Union) {
    let Tagging::JsonType(types) = &mut union.tagging else { return };
    let text = types.iter().position(|ty| *ty == JsonType::String);
    let last = types.iter().rposition(|ty| matches!(ty, JsonType::Boolean | JsonType::Number));
    if let (Some(text), Some(last)) = (text, last)
        && text < last
    {
        types[text..=last].rotate_left(1);
        union.variants[text..=last].rotate_left(1);
    }
}
