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
    let names = fields(side, struct_).map(|field| &field.name.wire);
    let required = fields(side, struct_).filter(|field| is_demanded(side, field)).map(|field| &field.name.wire);
    let matching = if api.any_case { quote!(any_case) } else { quote!(exact) };

    quote! {
        const MEMBERS: Members = Members::#matching(&[#(#names),*], &[#(#required),*]);
    }
}

/// The members that are read. A client does not care about those with only one value.
fn fields(side: Side, struct_: &Struct) -> impl Iterator<Item = &Field> {
    struct_.fields.iter().filter(move |field| {
        side.reads_field(field)
            && match side {
                Side::Server => true,
                Side::Client => field.constant.is_none(),
            }
    })
}

/// A missing member is a violation; a client takes a missing one for the `null` that it may be.
fn is_demanded(side: Side, field: &Field) -> bool {
    match (field.presence, side) {
        (Presence::Required, _) | (Presence::Nullable, Side::Server) => true,
        (Presence::Nullable, Side::Client) | (Presence::Optional | Presence::OptionalNullable, _) => false,
    }
}

/// `impl Read`.
pub(super) fn read(api: &Api, side: Side, model: &Model, struct_: &Struct, rules: &mut Rules) -> TokenStream {
    if fits_in_locals(side, struct_) {
        with_locals(side, model, struct_, rules)
    } else {
        with_draft(api, side, model, struct_, rules)
    }
}

/// Each member in a variable of its own: the shape that a person would write for a small object.
fn with_locals(side: Side, model: &Model, struct_: &Struct, rules: &mut Rules) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let variables = fields(side, struct_).map(variable);
    let arms: Vec<_> = fields(side, struct_)
        .map(|field| {
            let variable = variable(field);
            arm(side, field, &quote!(#variable), rules)
        })
        .collect();
    let constants = fields(side, struct_).filter(|field| field.constant.is_some()).map(variable);
    let values = struct_.fields.iter().filter(|field| field.constant.is_none()).map(|field| {
        let rust = ty::ident(&field.name.rust);
        let variable = variable(field);
        let value = take(side, field, &quote!(#variable));
        quote!(#rust: #value,)
    });
    let additional = struct_.additional.as_ref().map(|additional| ty::ident(&local(&additional.rust)));
    let entries = additional.as_ref().map(|variable| quote!(let mut #variable = Entries::new();));
    let entries_value = additional.as_ref().map(|variable| quote!(#variable: #variable.finish()?,));
    let blank_line = crate::emit::blank_line();
    let on_member = on_member(&arms, &other(side, struct_, additional.as_ref().map(|variable| quote!(#variable))));

    quote! {
        impl Read for #name {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                #(let mut #variables = Member::Absent;)*
                #entries
                json.object(&MEMBERS, &mut #on_member)?;
                #(#constants.required()?;)*

                #blank_line
                Some(Self { #(#values)* #entries_value })
            }
        }
    }
}

/// The members in a struct of their own: a long list of variables would be hard to tell apart.
fn with_draft(api: &Api, side: Side, model: &Model, struct_: &Struct, rules: &mut Rules) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let members = fields(side, struct_).map(|field| {
        let rust = ty::ident(&field.name.rust);
        let ty = if field.constant.is_some() { quote!(()) } else { ty::present(api, &field.value) };
        quote!(#rust: Member<#ty>,)
    });
    let arms: Vec<_> = fields(side, struct_)
        .map(|field| {
            let rust = ty::ident(&field.name.rust);
            arm(side, field, &quote!(self.#rust), rules)
        })
        .collect();
    let constants =
        fields(side, struct_).filter(|field| field.constant.is_some()).map(|field| ty::ident(&field.name.rust));
    let values = struct_.fields.iter().filter(|field| field.constant.is_none()).map(|field| {
        let rust = ty::ident(&field.name.rust);
        let value = take(side, field, &quote!(self.#rust));
        quote!(#rust: #value,)
    });
    let additional = struct_.additional.as_ref().map(|additional| ty::ident(&additional.rust));
    let entries = struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        let value = ty::value(api, &additional.value);
        quote!(#rust: Entries<#value>,)
    });
    let entries_value = additional.as_ref().map(|rust| quote!(#rust: self.#rust.finish()?,));
    let other = other(side, struct_, additional.as_ref().map(|rust| quote!(self.#rust)));

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
            #entries
        }

        impl Draft {
            fn read(&mut self, json: &mut Reader<'_>, member: &str) {
                match member {
                    #(#arms)*
                    _ => #other,
                }
            }

            fn finish(self) -> Option<#name> {
                #(self.#constants.required()?;)*
                Some(#name { #(#values)* #entries_value })
            }
        }
    }
}

/// The closure that is called for each member.
fn on_member(arms: &[TokenStream], other: &TokenStream) -> TokenStream {
    if arms.is_empty() {
        quote!(|json, _| #other)
    } else {
        quote!(|json, member| match member { #(#arms)* _ => #other, })
    }
}

/// One line of the `match`: where the member of that name goes, and what it must keep to.
fn arm(side: Side, field: &Field, member: &TokenStream, rules: &mut Rules) -> TokenStream {
    let wire = &field.name.wire;
    if let Some(constant) = &field.constant {
        return quote!(#wire => #member.read_constant(json, #constant),);
    }
    // Many services send `null` where they promise nothing, or leave nothing out.
    let nullable = match side {
        Side::Server => matches!(field.presence, Presence::Nullable | Presence::OptionalNullable),
        Side::Client => field.presence != Presence::Required,
    };
    match (rules.of(field), nullable) {
        (None, false) => quote!(#wire => #member.read(json),),
        (None, true) => quote!(#wire => #member.read_nullable(json),),
        (Some(rules), false) => quote!(#wire => #member.read_checked(json, #rules),),
        (Some(rules), true) => quote!(#wire => #member.read_nullable_checked(json, #rules),),
    }
}

/// What happens to a member that is not named.
fn other(side: Side, struct_: &Struct, additional: Option<TokenStream>) -> TokenStream {
    match (additional, side) {
        (Some(additional), _) => quote!(#additional.read_entry(json)),
        (None, Side::Server) if struct_.closed => quote!(json.refuse_member()),
        (None, Side::Server | Side::Client) => quote!(json.skip_member()),
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
    match (field.presence, side) {
        (Presence::Required, _) => quote!(#member.required()?),
        (Presence::Nullable, Side::Server) => quote!(#member.nullable()?),
        (Presence::Optional, _) | (Presence::Nullable, Side::Client) => quote!(#member.optional()?),
        (Presence::OptionalNullable, _) => quote!(#member.maybe()?),
    }
}

/// The variable of a member.
fn variable(field: &Field) -> proc_macro2::Ident {
    ty::ident(&local(&field.name.rust))
}

/// The name of a variable; `json` and `member` are taken.
fn local(rust: &str) -> String {
    match rust {
        "json" | "member" => format!("{rust}_"),
        rust => rust.to_owned(),
    }
}

fn fits_in_locals(side: Side, struct_: &Struct) -> bool {
    let names: Vec<_> = fields(side, struct_).map(|field| field.name.rust.as_str()).collect();
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
