//! Orders the variants of unions in parameters, where a number is a text, too.

use crate::ir::{Api, JsonType, ModelKind, Tagging, Type, Union, Variant};

/// Puts texts behind numbers and truth values, which would never be read otherwise, and says which numbers have to be
/// written as such.
pub(crate) fn order(api: &mut Api) {
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

/// A number, or a text in a format, that may have been meant as another variant, any text.
fn may_be_text(api: &Api, union: &Union, variant: &Variant) -> bool {
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
