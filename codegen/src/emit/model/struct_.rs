//! An object with named members.

use proc_macro2::TokenStream;
use quote::quote;

use super::rules::Rules;
use super::struct_read;
use crate::emit::profile::Side;
use crate::emit::{doc, ty};
use crate::ir::{Additional, Api, Default, Field, Model, ModelKind, Presence, Struct, Type};

/// The struct and how it is read and written.
pub(super) fn items(api: &Api, side: Side, model: &Model, struct_: &Struct) -> TokenStream {
    let definition = definition(api, model, struct_);
    let mut rules = Rules::new(side);
    let members = side.reads(model).then(|| struct_read::members(api, side, struct_));
    let read = side.reads(model).then(|| struct_read::read(api, side, model, struct_, &mut rules));
    let write = side.writes(model).then(|| write(side, model, struct_));
    let patterns = rules.into_statics();

    quote! {
        #definition
        #members
        #patterns
        #read
        #write
    }
}

/// The struct itself.
fn definition(api: &Api, model: &Model, struct_: &Struct) -> TokenStream {
    let attributes = super::attributes(model);
    let derive = super::derive::derive(model);
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

fn additional_field(api: &Api, additional: &Additional) -> TokenStream {
    let rust = ty::ident(&additional.rust);
    let value = ty::value(api, &additional.value);
    quote! {
        /// The members that are not named above.
        pub #rust: BTreeMap<String, #value>,
    }
}

/// The description of a member, and what it says about its default and who may send it.
fn field_doc(api: &Api, field: &Field) -> String {
    let default = field.default.as_ref().map(|default| default_doc(api, &field.value.ty, default));
    let read_only = field.read_only.then_some("Read-only: only answers have it.");
    let write_only = field.write_only.then_some("Write-only: only requests have it.");
    doc::paragraphs([field.doc.as_deref(), default.as_deref(), read_only, write_only])
}

/// What an absent member or parameter means.
pub(crate) fn default_doc(api: &Api, ty: &Type, default: &Default) -> String {
    let value = match default {
        Default::Boolean(value) => value.to_string(),
        Default::Number(value) => value.clone(),
        Default::String(value) => format!("{value:?}"),
        Default::EmptyArray => "[]".to_owned(),
        Default::Variant(index) => variant_name(api, ty, *index),
    };
    format!("Default: `{}`.", value.replace('`', "'"))
}

fn variant_name(api: &Api, ty: &Type, index: usize) -> String {
    let Type::Model(id) = ty else { return String::new() };
    let model = api.model(*id);
    match &model.kind {
        ModelKind::Enum(enum_) => format!("{}::{}", model.name.rust, super::enum_::variant_name(enum_, index)),
        ModelKind::Struct(_) | ModelKind::Union(_) | ModelKind::Alias(_) => String::new(),
    }
}

/// `impl Write`: one line per member.
fn write(side: Side, model: &Model, struct_: &Struct) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let fields = struct_.fields.iter().filter(|field| side.writes_field(field)).map(write_field);
    let additional = struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        quote!(json.entries(&self.#rust);)
    });

    quote! {
        impl Write for #name {
            fn write(&self, json: &mut Writer) {
                json.begin_object();
                #(#fields)*
                #additional
                json.end_object();
            }
        }
    }
}

fn write_field(field: &Field) -> TokenStream {
    let wire = &field.name.wire;
    if let Some(constant) = &field.constant {
        return quote!(json.required(#wire, #constant););
    }
    let rust = ty::ident(&field.name.rust);
    match field.presence {
        Presence::Required | Presence::Nullable => quote!(json.required(#wire, &self.#rust);),
        Presence::Optional => quote!(json.optional(#wire, &self.#rust);),
        Presence::OptionalNullable => quote!(json.maybe(#wire, &self.#rust);),
    }
}
