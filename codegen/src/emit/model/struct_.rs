//! An object with named members: the struct, and how it is read and written.

mod new;
mod table;

use super::Context;
use super::rules::Rules;
use crate::emit::profile::Side;
use crate::emit::{doc, ty};
use crate::ir::{Additional, Api, Default, Field, Model, ModelKind, Struct, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The struct and how it is read and written.
pub(super) fn items(context: &Context<'_>, struct_: &Struct) -> TokenStream {
    let Context { api, side, model, .. } = *context;
    let definition = definition(api, side, model, struct_);
    let new = side.writes(model).then(|| new::new(api, model, struct_)).flatten();
    let codec = codec(context, struct_);
    quote! {
        #definition
        #new
        #codec
    }
}

/// How the struct is read and written.
fn codec(context: &Context<'_>, struct_: &Struct) -> TokenStream {
    let Context { api, side, model, .. } = *context;
    let check = context.check();
    // What a client reads for serde alone tells no variants apart.
    let is_checked = if side.reads(model) { side.checks(model) } else { side.refuses_texts(model) };
    let mut rules = Rules::new(api, is_checked);
    let table = table::items(context, struct_, &mut rules);
    quote! {
        #table
        #check
    }
}

/// The struct itself. A member that can have only one value is written and checked, but not a field.
fn definition(api: &Api, side: Side, model: &Model, struct_: &Struct) -> TokenStream {
    let attributes = super::attributes(model);
    let derive = super::derive(side, model, &derives(model));
    let name = ty::ident(&model.name.rust);
    let fields = struct_.fields.iter().filter(|field| field.constant.is_none()).map(|field| {
        let doc = doc::doc(&field_doc(api, field));
        let deprecated = super::deprecated(field.deprecated);
        let rust = ty::ident(&field.name.rust);
        let ty = ty::field(api, &field.value, field.presence);
        quote!(#doc #deprecated pub #rust: #ty,)
    });
    let additional = struct_.additional.as_ref().map(|additional| additional_field(api, additional));

    quote! {
        #attributes
        #derive
        pub struct #name {
            #(#fields)*
            #additional
        }
    }
}

fn derives(model: &Model) -> Vec<&'static str> {
    let mut derives = vec!["Clone", "Debug"];
    derives.extend(model.default.then_some("Default"));
    derives.push("PartialEq");
    derives.extend(model.eq.then_some(["Eq", "Hash"]).into_iter().flatten());
    derives
}

fn additional_field(api: &Api, additional: &Additional) -> TokenStream {
    let rust = ty::ident(&additional.rust);
    let value = ty::value(api, &additional.value);
    quote! {
        /// The members that are not named above.
        pub #rust: BTreeMap<String, #value>,
    }
}

/// The description of a member, and what it says about its default and who may send it.
pub(crate) fn field_doc(api: &Api, field: &Field) -> String {
    let default = field.default.as_ref().map(|default| default_doc(api, &field.value.ty, default));
    let read_only = field.read_only.then_some("Read-only: only responses have it.");
    let write_only = field.write_only.then_some("Write-only: only requests have it.");
    doc::paragraphs([field.doc.as_deref(), default.as_deref(), read_only, write_only])
}

/// The default as a value of its type.
pub(crate) fn default_literal(api: &Api, ty: &Type, default: &Default) -> TokenStream {
    match default {
        Default::Boolean(value) => quote!(#value),
        Default::Number(value) => number(value, matches!(api.resolved(ty), Type::Float | Type::Double)),
        Default::String(value) => quote!(#value.to_owned()),
        Default::EmptyArray => quote!(Vec::new()),
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

/// A number as its type is written: with a point where that has one.
fn number(text: &str, has_point: bool) -> TokenStream {
    match text.parse::<i128>() {
        Ok(whole) if has_point => ty::tokens(&format!("{}.0", ty::number(whole).to_string().replace(' ', ""))),
        Ok(whole) => ty::number(whole),
        Err(_) => ty::tokens(text),
    }
}

/// What an absent member or parameter means.
pub(crate) fn default_doc(api: &Api, ty: &Type, default: &Default) -> String {
    let value = match default {
        Default::Boolean(value) => value.to_string(),
        Default::Number(value) => value.clone(),
        Default::String(value) => format!("{value:?}"),
        Default::EmptyArray => "[]".to_owned(),
        Default::Variant(index) => match variant_name(api, ty, *index) {
            Some(variant) => variant,
            None => return String::new(),
        },
    };
    format!("Default: `{}`.", value.replace('`', "'"))
}

fn variant_name(api: &Api, ty: &Type, index: usize) -> Option<String> {
    let Type::Model(id) = ty else { return None };
    let model = api.model(*id);
    match &model.kind {
        ModelKind::Enum(enum_) => {
            let variant = super::enum_::variant_name(enum_, index)?;
            Some(format!("{}::{variant}", model.name.rust))
        }
        ModelKind::Alias(alias) => variant_name(api, &alias.value.ty, index),
        ModelKind::Struct(_) | ModelKind::Union(_) => None,
    }
}
