//! A body that is sent: a struct with a field per part.

use super::{Body, value};
use crate::emit::constructor::{self, Slot, Source};
use crate::emit::operation::content::Direction;
use crate::emit::{doc, model, parameter, ty};
use crate::ir::{Api, Multipart, Operation, Part, PartKind, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The struct of the parts.
pub(super) fn items(api: &Api, operation: &Operation, body: &Body<'_>) -> TokenStream {
    let Body { rust, multipart, direction } = body;
    let text = doc::own(&format!("The parts of the body {}.", body.of(operation)));
    let name = ty::ident(rust);
    // Models have a `Default` only in a client.
    let is_default = if *direction == Direction::Request && operation.webhook.is_none() {
        multipart.has_client_default(&api.models)
    } else {
        !multipart.parts.iter().any(Part::is_required)
    };
    let derive = if is_default { quote!(#[derive(Debug, Default)]) } else { quote!(#[derive(Debug)]) };
    let fields = multipart.parts.iter().map(|part| field(api, multipart, part));
    let new = multipart.has_new(api).then(|| {
        let slots = multipart.parts.iter().map(|part| Slot { rust: &part.field.name.rust, source: source(api, part) });
        constructor::new("parts", &slots.collect::<Vec<_>>())
    });
    let adds = multipart.parts.iter().map(add);
    let empty = ty::ident(if multipart.positional { "positional" } else { "new" });
    let from = multipart.item().map(|item| {
        let (held, field) = (held(api, item), ty::ident(&item.field.name.rust));
        quote! {
            impl From<Vec<#held>> for #name {
                fn from(#field: Vec<#held>) -> Self {
                    Self { #field }
                }
            }
        }
    });

    quote! {
        #text
        #derive
        pub struct #name {
            #(#fields)*
        }

        impl #name {
            #new

            fn into_multipart(self) -> multipart::MultipartWriter {
                multipart::MultipartWriter::#empty() #(#adds)*
            }
        }

        #from
    }
}

fn field(api: &Api, multipart: &Multipart, part: &Part) -> TokenStream {
    let wire = if multipart.item().is_some() { "The parts.".to_owned() } else { format!("`{}`", part.field.name.wire) };
    let text = doc::doc(part.field.doc.as_deref().unwrap_or(&wire));
    let deprecated = model::deprecated(part.field.deprecated);
    let name = ty::ident(&part.field.name.rust);
    let held = held(api, part);
    let held = if part.repeated {
        quote!(Vec<#held>)
    } else if part.is_required() {
        held
    } else {
        quote!(Option<#held>)
    };
    quote!(#text #deprecated pub #name: #held,)
}

fn held(api: &Api, part: &Part) -> TokenStream {
    super::held(api, part, quote!(multipart::Part))
}

fn source(api: &Api, part: &Part) -> Source {
    if part.repeated {
        Source::Absent(quote!(Vec::new()))
    } else if !part.is_required() {
        Source::Absent(quote!(None))
    } else if part.kind == PartKind::Text && value(part).ty == Type::String && !part.has_headers() {
        Source::Text
    } else {
        Source::Argument(held(api, part))
    }
}

/// The line that adds the part, or what there is of it, to the body.
fn add(part: &Part) -> TokenStream {
    let field = ty::ident(&part.field.name.rust);
    if part.has_headers() {
        let items = if part.is_required() { quote!([&self.#field]) } else { quote!(&self.#field) };
        let add = add_one(part, true, &quote!(&part.value));
        return quote!(.each(#items, |parts, part| parts.headers(&part.headers) #add));
    }
    let value = if part.kind == PartKind::File { quote!(self.#field) } else { quote!(&self.#field) };
    add_one(part, part.is_required(), &value)
}

/// The call that adds a value, or several.
fn add_one(part: &Part, is_one: bool, value: &TokenStream) -> TokenStream {
    let wire = &part.field.name.wire;
    let declared = part.content_types.iter().map(String::as_str).find(|content_type| !content_type.contains('*'));
    let declared_or = |otherwise| {
        let content_type = declared.unwrap_or(otherwise);
        quote!(#content_type,)
    };
    let (method, argument) = match (part.kind, part.style) {
        (PartKind::File, _) => ("file", Some(declared_or("application/octet-stream"))),
        (PartKind::Json, _) => ("json", Some(declared_or("application/json"))),
        (PartKind::Text, Some(style)) => {
            let style = parameter::style(style, false, false);
            ("text", Some(quote!(#style,)))
        }
        (PartKind::Text, None) if declared.is_none() => ("text", None),
        (PartKind::Text, None) => ("typed_text", Some(declared_or(""))),
    };
    let several = if is_one { "" } else { "s" };
    let with = if part.style.is_some() { "_with" } else { "" };
    let method = ty::ident(&format!("{method}{several}{with}"));
    quote!(.#method(#wire, #argument #value))
}
