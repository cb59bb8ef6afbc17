//! An object with named members.

mod member;
mod new;

use super::{Context, attribute, rules};
use crate::emit::side::Side;
use crate::emit::{doc, ty};
use crate::ir::{Api, Default, Field, Model, ModelKind, Struct, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The struct, with a constructor if callers create it.
pub(super) fn items(context: &Context<'_>, struct_: &Struct) -> TokenStream {
    let Context { side, model, .. } = *context;
    let definition = definition(context, struct_);
    let new = side.writes(model).then(|| new::new(context, struct_)).flatten();
    quote!(#definition #new)
}

/// The struct itself. Constants are written and checked, but have no field.
fn definition(context: &Context<'_>, struct_: &Struct) -> TokenStream {
    let Context { api, side, model, .. } = *context;
    let attributes = super::attributes(model);
    let derive = super::derive(side, model, &derives(side, model));
    let json = attribute::json(&arguments(context, struct_));
    let name = ty::ident(&model.name.rust);
    let fields = struct_.fields().map(|field| {
        let doc = doc::doc(&field_doc(api, model, field));
        let deprecated = super::deprecated(field.deprecated);
        let json = attribute::json(&member::field(context, field));
        let rust = ty::ident(&field.name.rust);
        let ty = ty::field(api, &field.value, field.presence);
        quote!(#doc #deprecated #json pub #rust: #ty,)
    });
    let additional = struct_.additional.as_ref().map(|additional| {
        let json = attribute::json(&member::others(context, additional));
        let rust = ty::ident(&additional.rust);
        let value = ty::value(api, &additional.value);
        quote! {
            /// The members that are not named above.
            #json
            pub #rust: BTreeMap<String, #value>,
        }
    });

    quote! {
        #attributes
        #derive
        #json
        pub struct #name {
            #(#fields)*
            #additional
        }
    }
}

fn arguments(context: &Context<'_>, struct_: &Struct) -> Vec<TokenStream> {
    let mut arguments = Vec::new();
    arguments.extend(context.api.any_case.then(|| quote!(any_case)));
    arguments.extend((struct_.closed && struct_.additional.is_none()).then(|| quote!(closed)));
    arguments.extend(attribute::of_model(context));
    let constants = struct_.fields.iter().filter_map(|field| Some((field, field.constant.as_ref()?)));
    arguments.extend(constants.map(|(field, constant)| member::constant(context, field, constant)));
    if attribute::is_checked(context) {
        arguments.extend(rules::arguments_of_whole(&struct_.rules));
    }
    arguments
}

fn derives(side: Side, model: &Model) -> Vec<&'static str> {
    let mut derives = vec!["Clone", "Debug"];
    let is_default = model.default || side == Side::Client && side.writes(model) && model.client_default;
    derives.extend(is_default.then_some("Default"));
    derives.push("PartialEq");
    derives.extend(model.eq.then_some(["Eq", "Hash"]).into_iter().flatten());
    derives.push("Json");
    derives
}

/// The description of a member, its default, and in a model that goes both ways, which way alone the member goes.
fn field_doc(api: &Api, model: &Model, field: &Field) -> String {
    let default = field.default.as_ref().map(|default| default_doc(api, &field.value.ty, default));
    let goes_both_ways = model.in_request && model.in_response;
    let read_only = (field.read_only && goes_both_ways).then_some("Read-only: only responses have it.");
    let write_only = (field.write_only && goes_both_ways).then_some("Write-only: only requests have it.");
    doc::paragraphs([field.doc.as_deref(), default.as_deref(), read_only, write_only])
}

/// The default as a value of its type.
pub fn default_literal(api: &Api, ty: &Type, default: &Default) -> TokenStream {
    match default {
        Default::Boolean(value) => quote!(#value),
        Default::Number(value) => number(value, matches!(api.resolved(ty), Type::Float | Type::Double)),
        Default::String(value) => quote!(#value.to_owned()),
        Default::Array(items) if items.is_empty() => quote!(Vec::new()),
        Default::Array(items) => {
            let item = item_of(api, ty);
            let items = items.iter().map(|own| default_literal(api, item, own));
            quote!(vec![#(#items),*])
        }
        Default::OfVariant(rust, own) => {
            let Some((path, variant)) = variant_of(api, ty, rust) else { return quote!(Default::default()) };
            let path = ty::tokens(&path);
            let own = default_literal(api, variant, own);
            quote!(models::#path(#own))
        }
        Default::Variant(index) => {
            if let Some(path) = variant_name(api, ty, *index) {
                let path = ty::tokens(&path);
                quote!(models::#path)
            } else {
                quote!(Default::default())
            }
        }
    }
}

/// A number literal, with a decimal point if the type requires it.
fn number(text: &str, has_point: bool) -> TokenStream {
    match text.parse::<i128>() {
        Ok(whole) if has_point => ty::tokens(&format!("{}.0", ty::number(whole).to_string().replace(' ', ""))),
        Ok(whole) => ty::number(whole),
        Err(_) => ty::tokens(text),
    }
}

/// Documents the default of a member or parameter.
pub(crate) fn default_doc(api: &Api, ty: &Type, default: &Default) -> String {
    match default_text(api, ty, default).as_str() {
        "" => String::new(),
        value => format!("Default: `{}`.", value.replace('`', "'")),
    }
}

fn default_text(api: &Api, ty: &Type, default: &Default) -> String {
    match default {
        Default::Boolean(value) => value.to_string(),
        Default::Number(value) => value.clone(),
        Default::String(value) => format!("{value:?}"),
        Default::Array(items) => {
            let item = item_of(api, ty);
            let items: Vec<_> = items.iter().map(|own| default_text(api, item, own)).collect();
            format!("[{}]", items.join(", "))
        }
        Default::OfVariant(rust, own) => match variant_of(api, ty, rust) {
            Some((_, variant)) => default_text(api, variant, own),
            None => String::new(),
        },
        Default::Variant(index) => variant_name(api, ty, *index).unwrap_or_default(),
    }
}

fn item_of<'a>(api: &'a Api, ty: &'a Type) -> &'a Type {
    match api.resolved(ty) {
        Type::Array(item) => &item.ty,
        other => other,
    }
}

/// The variant of a union, and its type.
fn variant_of<'a>(api: &'a Api, ty: &'a Type, rust: &str) -> Option<(String, &'a Type)> {
    let Type::Model(id) = api.resolved(ty) else { return None };
    let model = api.model(*id);
    let ModelKind::Union(union) = &model.kind else { return None };
    let variant = union.variants.iter().find(|variant| variant.rust == rust)?;
    Some((format!("{}::{}", model.name.rust, variant.rust), &variant.value.ty))
}

fn variant_name(api: &Api, ty: &Type, index: usize) -> Option<String> {
    let Type::Model(id) = ty else { return None };
    let model = api.model(*id);
    match &model.kind {
        ModelKind::Enum(enum_) => {
            let variant = enum_.variants.get(index)?;
            Some(format!("{}::{}", model.name.rust, variant.rust))
        }
        ModelKind::Alias(alias) => variant_name(api, &alias.value.ty, index),
        ModelKind::Struct(_) | ModelKind::Union(_) => None,
    }
}
