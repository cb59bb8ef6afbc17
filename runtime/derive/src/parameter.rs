//! Structs as parameters and forms: named texts.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Model;
use crate::object::{Member, Object, Others, Presence};

/// The implementations for a struct that is a parameter.
pub(crate) fn items(model: &Model, object: &Object) -> TokenStream {
    let read = model.reads_parameter().then(|| from_parameter(model, object));
    let write = model.to_parameter().then(|| to_parameter(model, object));
    quote!(#read #write)
}

fn from_parameter(model: &Model, object: &Object) -> TokenStream {
    let name = &model.name;
    let mut list = object.list();
    if object.others.as_ref().is_some_and(|others| others.nested) {
        list = quote!(#list.nesting());
    }
    // With additional members, it cannot tell its members from other parameters.
    let listed = if object.others.is_none() { quote!(Some(&LIST)) } else { quote!(None) };
    let members: Vec<_> = object.members.iter().filter(|member| !member.skip_read).collect();
    let locals =
        members.iter().map(|Member { local, .. }| quote!(let mut #local = __runtime::parameter::Member::Absent;));
    let constants = object.constants.iter().filter(|constant| !constant.skip_read).map(|constant| {
        let value = &constant.value;
        quote!(&mut __runtime::json::Constant(#value))
    });
    let slots = members.iter().map(|Member { local, as_json, is_boxed, rules, .. }| {
        let slot = match (as_json, is_boxed) {
            (true, _) => quote!(&mut __runtime::parameter::Json(&mut #local)),
            (false, true) => quote!(&mut __runtime::parameter::Boxed(&mut #local)),
            (false, false) => quote!(&mut #local),
        };
        checked(model, slot, rules.as_ref())
    });
    let slots = constants.chain(slots);
    let fields = object.members.iter().map(|Member { field, local, presence, skip_read, .. }| match presence {
        _ if *skip_read => quote!(#field: Default::default()),
        Presence::Required => quote!(#field: #local.required()?),
        Presence::Default => quote!(#field: #local.optional()?.unwrap_or_default()),
        Presence::Nullable => quote!(#field: #local.nullable()?),
        Presence::Expected | Presence::Optional | Presence::Any => quote!(#field: #local.optional()?),
        Presence::Maybe => quote!(#field: #local.maybe()?),
    });
    let entries =
        object.others.iter().map(|Others { local, .. }| quote!(let mut #local = __runtime::json::Entries::new();));
    let others = match &object.others {
        Some(Others { local, rules, as_json, .. }) => {
            let slot =
                if *as_json { quote!(&mut __runtime::parameter::Json(&mut #local)) } else { quote!(&mut #local) };
            checked(model, slot, rules.as_ref())
        }
        None if object.closed => quote!(&mut __runtime::json::Others::Closed),
        None => quote!(&mut __runtime::json::Others::Open),
    };
    let fields = fields.chain(object.others.iter().map(|Others { field, local, .. }| quote!(#field: #local.finish()?)));
    let read = if model.tolerant {
        quote!(at.members(raw, &LIST, &mut [#(#slots),*], #others)?)
    } else {
        let rules = object.rules.clone().unwrap_or_else(|| quote!(&[]));
        quote!(at.members_checked(#rules, raw, &LIST, &mut [#(#slots),*], #others)?)
    };
    quote! {
        const LIST: __runtime::json::Members = #list;

        impl __runtime::parameter::FromParameter for #name {
            const SHAPE: __runtime::parameter::Shape = __runtime::parameter::Shape::Object;
            const MEMBERS: ::core::option::Option<&'static __runtime::json::Members> = #listed;

            fn from_parameter(
                raw: __runtime::parameter::Raw<'_>,
                at: &mut __runtime::violation::Notes,
            ) -> ::core::option::Option<Self> {
                #(#locals)*
                #(#entries)*
                #read;
                Some(Self { #(#fields),* })
            }
        }
    }
}

/// A slot with its rules; tolerant models do not check rules in parameters.
fn checked(model: &Model, slot: TokenStream, rules: Option<&TokenStream>) -> TokenStream {
    match rules.filter(|_| !model.tolerant) {
        None => slot,
        Some(rules) => quote!(&mut __runtime::rule::Checked(#slot, #rules)),
    }
}

fn to_parameter(model: &Model, object: &Object) -> TokenStream {
    let name = &model.name;
    let constants = object.constants.iter().filter(|constant| !constant.skip_write).map(|constant| {
        let (name, value) = (&constant.name, &constant.value);
        quote!(fields.required(#name, &#value);)
    });
    let members = object.members.iter().filter(|member| !member.skip_write).map(|member| {
        let Member { field, name, presence, as_json, is_boxed, .. } = member;
        match (presence, as_json, is_boxed) {
            (Presence::Required | Presence::Default, true, _) => quote!(fields.required_json(#name, &self.#field);),
            (Presence::Required | Presence::Default, false, true) => quote!(fields.required(#name, &*self.#field);),
            (Presence::Required | Presence::Default, false, false) => quote!(fields.required(#name, &self.#field);),
            (Presence::Maybe, true, _) => quote!(fields.maybe_json(#name, &self.#field);),
            (Presence::Maybe, false, true) => quote!(fields.maybe_boxed(#name, &self.#field);),
            (Presence::Maybe, false, false) => quote!(fields.maybe(#name, &self.#field);),
            (_, true, _) => quote!(fields.optional_json(#name, &self.#field);),
            (_, false, true) => quote!(fields.optional_boxed(#name, &self.#field);),
            (_, false, false) => quote!(fields.optional(#name, &self.#field);),
        }
    });
    let others = object.others.iter().map(|Others { field, as_json, .. }| {
        if *as_json { quote!(fields.json_entries(&self.#field);) } else { quote!(fields.entries(&self.#field);) }
    });
    quote! {
        impl __runtime::parameter::ToParameter for #name {
            fn to_parameter(&self) -> __runtime::parameter::Raw<'_> {
                #[allow(unused_mut, reason = "a model may have no members")]
                let mut fields = __runtime::parameter::Fields::new();
                #(#constants)*
                #(#members)*
                #(#others)*
                fields.into_raw()
            }
        }
    }
}
