//! Decides how members and variants are written in parameters and forms.

use super::draft::Drafts;
use crate::diagnostic::Code;
use crate::ir::{
    ContentKind, ForeignForm, MAX_TYPE_DEPTH, ModelId, ModelKind, ParameterShape, Rule, TextForm, Type, Union,
    UnionForm, Value,
};
use crate::lower::reporter::Reporter;

/// Sets the text forms of everything in parameters and forms. What the `encoding` of a form has made JSON stays so.
pub(crate) fn decide(reporter: &mut Reporter<'_>, api: &mut Drafts) {
    report_json_of_other_forms(reporter, api);
    let in_parameter = |index: &usize| api.models[*index].in_parameter;
    for index in (0..api.models.len()).filter(in_parameter).collect::<Vec<_>>() {
        let mut kind = api.models[index].kind.clone();
        match &mut kind {
            ModelKind::Struct(struct_) => {
                for field in struct_.fields.iter_mut().filter(|field| field.form != TextForm::Json) {
                    field.form = form(api, &field.value, 0);
                }
                if let Some(additional) = &mut struct_.additional {
                    // `patternProperties` may give a value of any type another one.
                    let is_json = !additional.rules.is_empty() && is_any(api, &additional.value);
                    additional.form = if is_json { TextForm::Json } else { form_unless_null(api, &additional.value) };
                }
            }
            ModelKind::Union(union) => {
                for variant in &mut union.variants {
                    variant.form = form_unless_null(api, &variant.value);
                }
                union.form = union_form(api, union);
            }
            ModelKind::Enum(_) | ModelKind::Alias(_) => {}
        }
        api.models[index].kind = kind;
    }
}

/// Reports members that are JSON because the `encoding` of another form with the same schema says so.
fn report_json_of_other_forms(reporter: &mut Reporter<'_>, api: &Drafts) {
    for operation in api.operations_and_webhooks() {
        let responses = operation.responses.all();
        let contents = operation.request_body.iter().flat_map(|body| &body.contents);
        for content in contents.chain(responses.flat_map(|response| &response.contents)) {
            let ContentKind::Form(form) = &content.kind else { continue };
            let Type::Model(id) = api.resolved(&form.value.ty) else { continue };
            let ModelKind::Struct(struct_) = &api.model(*id).kind else { continue };
            let is_said = |name: &str| form.members.iter().any(|member| member.is_json() && member.name == name);
            for field in struct_.fields.iter().filter(|field| field.form == TextForm::Json) {
                let name = &field.name.wire;
                if !is_said(name) {
                    let message = format!("`{name}` is JSON in this form, too");
                    let label = "another form with the same schema has a `contentType` for it";
                    reporter.report(Code::NotUsed, &operation.location, message).label(label);
                }
            }
        }
    }
}

/// A text is never `null`, but JSON in a text can be.
fn form_unless_null(api: &Drafts, value: &Value) -> TextForm {
    if value.nullable { TextForm::Json } else { form(api, value, 0) }
}

fn form(api: &Drafts, value: &Value, depth: usize) -> TextForm {
    if depth > MAX_TYPE_DEPTH {
        return TextForm::Json;
    }
    match &value.ty {
        Type::Array(item) if item.nullable || is_any(api, item) && has_schema(value) => TextForm::Json,
        Type::Array(item) => match form(api, item, depth + 1) {
            TextForm::Text | TextForm::Texts => TextForm::Texts,
            TextForm::Fields | TextForm::Several => TextForm::Fields,
            TextForm::Json => TextForm::Json,
        },
        Type::Map(item) if is_text(api, item, depth) => TextForm::Fields,
        // Rules tell a number from the same number as a string.
        Type::Any if value.rules.is_empty() => TextForm::Several,
        Type::Map(_) | Type::Tuple(_) | Type::Binary | Type::Any => TextForm::Json,
        Type::Foreign(foreign) => match foreign.form() {
            ForeignForm::Text | ForeignForm::Number => TextForm::Text,
            ForeignForm::Json => TextForm::Json,
        },
        Type::Model(id) => match &api.model(*id).kind {
            ModelKind::Enum(_) => TextForm::Text,
            ModelKind::Struct(_) => TextForm::Fields,
            ModelKind::Alias(alias) => form(api, &alias.value, depth + 1),
            ModelKind::Union(union) => {
                let all_text = union.variants.iter().all(|variant| is_text(api, &variant.value, depth));
                if all_text { TextForm::Text } else { TextForm::Several }
            }
        },
        // The others are scalars.
        _ => TextForm::Text,
    }
}

fn is_any(api: &Drafts, value: &Value) -> bool {
    *api.resolved(&value.ty) == Type::Any
}

fn has_schema(value: &Value) -> bool {
    value.rules.iter().any(|rule| matches!(rule, Rule::Schema(_)))
}

fn is_text(api: &Drafts, value: &Value, depth: usize) -> bool {
    !value.nullable && form(api, value, depth + 1) == TextForm::Text
}

fn union_form(api: &Drafts, union: &Union) -> UnionForm {
    if union.variants.iter().all(|variant| variant.form == TextForm::Text) {
        return UnionForm::Text;
    }
    UnionForm::Several { shape: shape(api, union), order: order(api, union) }
}

/// The order of the variants; enums come before lists, because a single text may be either.
fn order(api: &Drafts, union: &Union) -> Vec<usize> {
    let first_list = union.variants.iter().position(|variant| variant.form == TextForm::Texts);
    let is_listed = |index: usize| match api.resolved(&union.variants[index].value.ty) {
        Type::Model(id) => {
            union.variants[index].form == TextForm::Text && matches!(api.model(*id).kind, ModelKind::Enum(_))
        }
        _ => false,
    };
    let mut order: Vec<_> = (0..union.variants.len()).collect();
    order.sort_by_key(|index| match first_list {
        Some(list) if list < *index && is_listed(*index) => (list, 0),
        _ => (*index, 1),
    });
    order
}

/// The common shape of all variants. Without objects, a text is also a list of one.
fn shape(api: &Drafts, union: &Union) -> ParameterShape {
    let mut all = Vec::new();
    spread(api, union, &mut all, &mut Vec::new());
    let has_members = all.contains(&TextForm::Fields);
    if has_members && all.iter().any(|form| *form != TextForm::Fields) {
        ParameterShape::Several
    } else if has_members {
        ParameterShape::Object
    } else if all.contains(&TextForm::Texts) {
        ParameterShape::Array
    } else {
        ParameterShape::Primitive
    }
}

/// Adds the forms of the variants, including those of nested unions.
fn spread(api: &Drafts, union: &Union, all: &mut Vec<TextForm>, seen: &mut Vec<ModelId>) {
    for variant in &union.variants {
        let form = form_unless_null(api, &variant.value);
        if form != TextForm::Several {
            all.push(form);
        } else if is_any(api, &variant.value) {
            all.extend([TextForm::Fields, TextForm::Text]);
        } else if let Type::Model(id) = api.resolved(&variant.value.ty)
            && let ModelKind::Union(inner) = &api.model(*id).kind
            && !seen.contains(id)
        {
            seen.push(*id);
            spread(api, inner, all, seen);
        }
    }
}
