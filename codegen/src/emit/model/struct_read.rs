//! How the members of an object are read.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::rules::Rules;
use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Api, Field, Model, Presence, Struct};

/// A function with more members than this would be longer than reads well.
const LOCALS: usize = 24;

/// `const MEMBERS`: all names, and those that must be there.
pub(super) fn members(api: &Api, side: Side, struct_: &Struct) -> TokenStream {
    let read = || struct_.fields.iter().filter(|field| side.reads_field(field));
    let names = read().map(|field| &field.name.wire);
    let required = read().filter(|field| is_demanded(side, field)).map(|field| &field.name.wire);
    let matching = if api.any_case { quote!(any_case) } else { quote!(exact) };

    quote! {
        const MEMBERS: Members = Members::#matching(&[#(#names),*], &[#(#required),*]);
    }
}

/// A missing member is a violation.
fn is_demanded(_side: Side, field: &Field) -> bool {
    match field.presence {
        Presence::Required | Presence::Nullable => true,
        Presence::Optional | Presence::OptionalNullable => false,
    }
}

/// `impl Read`.
pub(super) fn read(api: &Api, side: Side, model: &Model, struct_: &Struct, rules: &mut Rules) -> TokenStream {
    if fits_in_locals(struct_) {
        with_locals(side, model, struct_, rules)
    } else {
        with_draft(api, side, model, struct_, rules)
    }
}

/// Each member in a variable of its own: the shape that a person would write for a small object.
fn with_locals(side: Side, model: &Model, struct_: &Struct, rules: &mut Rules) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let read = || struct_.fields.iter().filter(|field| side.reads_field(field));
    let variables = read().map(variable);
    let arms: Vec<_> = read()
        .map(|field| {
            let variable = variable(field);
            arm(field, &quote!(#variable), rules)
        })
        .collect();
    let values = struct_.fields.iter().map(|field| {
        let rust = ty::ident(&field.name.rust);
        let variable = variable(field);
        let value = take(side, field, &quote!(#variable));
        quote!(#rust: #value,)
    });
    let other = other(side, struct_, None);

    quote! {
        impl Read for #name {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                #(let mut #variables = Member::Absent;)*
                json.object(&MEMBERS, &mut |json, member| match member {
                    #(#arms)*
                    #other
                })?;

                Some(Self { #(#values)* })
            }
        }
    }
}

/// The members in a struct of their own: a long list of variables would be hard to tell apart.
fn with_draft(api: &Api, side: Side, model: &Model, struct_: &Struct, rules: &mut Rules) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let read = || struct_.fields.iter().filter(|field| side.reads_field(field));
    let members = read().map(|field| {
        let rust = ty::ident(&field.name.rust);
        let ty = ty::present(api, &field.value);
        quote!(#rust: Member<#ty>,)
    });
    let arms: Vec<_> = read()
        .map(|field| {
            let rust = ty::ident(&field.name.rust);
            arm(field, &quote!(self.#rust), rules)
        })
        .collect();
    let values = struct_.fields.iter().map(|field| {
        let rust = ty::ident(&field.name.rust);
        let value = take(side, field, &quote!(self.#rust));
        quote!(#rust: #value,)
    });
    let other = other(side, struct_, None);

    quote! {
        impl Read for #name {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                let mut draft = Draft::default();
                json.object(&MEMBERS, &mut |json, member| draft.read(json, member))?;
                draft.finish()
            }
        }

        /// The members that have been read so far.
        #[derive(Default)]
        struct Draft {
            #(#members)*
        }

        impl Draft {
            fn read(&mut self, json: &mut Reader<'_>, member: &str) {
                match member {
                    #(#arms)*
                    #other
                }
            }

            fn finish(self) -> Option<#name> {
                Some(#name { #(#values)* })
            }
        }
    }
}

/// One line of the `match`: where the member of that name goes, and what it must keep to.
fn arm(field: &Field, member: &TokenStream, rules: &mut Rules) -> TokenStream {
    let wire = &field.name.wire;
    let nullable = matches!(field.presence, Presence::Nullable | Presence::OptionalNullable);
    match (rules.of(field), nullable) {
        (None, false) => quote!(#wire => #member.read(json),),
        (None, true) => quote!(#wire => #member.read_nullable(json),),
        (Some(rules), false) => quote!(#wire => #member.read_checked(json, #rules),),
        (Some(rules), true) => quote!(#wire => #member.read_nullable_checked(json, #rules),),
    }
}

/// What happens to a member that is not named.
fn other(side: Side, struct_: &Struct, additional: Option<TokenStream>) -> TokenStream {
    if let Some(additional) = additional {
        return quote!(_ => #additional.read(json),);
    }
    match side {
        Side::Server if struct_.closed => quote!(_ => json.refuse_member(),),
        Side::Server | Side::Client => quote!(_ => json.skip_member(),),
    }
}

/// The value of a field, from what was read.
fn take(side: Side, field: &Field, member: &TokenStream) -> TokenStream {
    if !side.reads_field(field) {
        return match field.presence {
            Presence::Required | Presence::Nullable | Presence::Optional => quote!(None),
            Presence::OptionalNullable => quote!(Maybe::Absent),
        };
    }
    match field.presence {
        Presence::Required => quote!(#member.required()?),
        Presence::Optional => quote!(#member.optional()?),
        Presence::Nullable => quote!(#member.nullable()?),
        Presence::OptionalNullable => quote!(#member.maybe()?),
    }
}

/// The variable of a member; `json` and `member` are taken.
fn variable(field: &Field) -> proc_macro2::Ident {
    match field.name.rust.as_str() {
        taken @ ("json" | "member") => format_ident!("{taken}_"),
        rust => ty::ident(rust),
    }
}

fn fits_in_locals(struct_: &Struct) -> bool {
    let names: Vec<_> = struct_.fields.iter().map(|field| field.name.rust.as_str()).collect();
    let alike =
        names.iter().enumerate().any(|(index, name)| names[..index].iter().any(|other| look_alike(name, other)));
    let short = names.iter().filter(|name| name.len() == 1).count();
    names.len() <= LOCALS && !alike && short <= 4
}

/// Whether two names differ in one letter only, which makes variables hard to tell apart.
fn look_alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<_>, Vec<_>) = (a.chars().collect(), b.chars().collect());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    a.len() - end <= 1 && b.len() - end <= 1
}
