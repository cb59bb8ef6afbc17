//! A body that is received: read part by part while it arrives.

use heck::ToShoutySnakeCase;

use super::{Body, value};
use crate::emit::model::rules;
use crate::emit::operation::reading::Function;
use crate::emit::{Side, doc, model, parameter, ty};
use crate::ir::{Api, Multipart, Operation, Part, PartKind, Presence, Rule};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The static that lists the parts of a body.
pub(crate) fn parts(multipart: &Multipart) -> Ident {
    format_ident!("{}S", multipart.part_rust.to_shouty_snake_case())
}

/// The type of the body, its parts, and what the description says of them.
pub(super) fn items(api: &Api, side: Side, operation: &Operation, body: &Body<'_>) -> TokenStream {
    let Body { rust, multipart, .. } = body;
    let name = ty::ident(rust);
    let module = module(side);
    let declared = declared(side, multipart);
    let item_doc = multipart.item().and_then(|item| item.field.doc.as_deref()).map(|text| {
        let text = doc::doc(text);
        quote!(#[doc = ""] #text)
    });
    let body_doc = doc::own(&format!("The body {}, read while it arrives.", body.of(operation)));
    let (part, enum_, read) = if let Some(item) = multipart.item() {
        let read = read(api, side, item);
        (held(api, side, item), None, quote!(Ok(Some(#read))))
    } else {
        let part = ty::ident(&multipart.part_rust);
        let read = choose(api, side, &part, multipart);
        (quote!(#part), Some(enum_(api, side, rust, multipart)), read)
    };
    let error = match side {
        Side::Server => quote!(server::Failure<server::Common>),
        Side::Client | Side::Models => quote!(multipart::ReadError),
    };

    quote! {
        #body_doc
        #item_doc
        #[derive(Debug)]
        pub struct #name {
            parts: #module::MultipartReader,
        }

        #enum_

        #declared

        impl #name {
            fn new(parts: #module::MultipartReader) -> Self {
                Self { parts }
            }

            /// The next part, in the order in which they are sent; `None` after the last.
            ///
            /// A file must be read or dropped before the part after it is asked for.
            pub async fn next(&mut self) -> Result<Option<#part>, #error> {
                let Some(field) = self.parts.next().await? else { return Ok(None) };
                #read
            }
        }
    }
}

/// The module of the runtime that has the reader of this side.
fn module(side: Side) -> Ident {
    ty::ident(match side {
        Side::Server => "server",
        Side::Client | Side::Models => "client",
    })
}

/// The enum of the parts.
fn enum_(api: &Api, side: Side, rust: &str, multipart: &Multipart) -> TokenStream {
    let doc = doc::own(&format!("A part of [`{rust}`]."));
    let name = ty::ident(&multipart.part_rust);
    let variants = multipart.parts.iter().map(|declared| variant(api, side, declared));
    quote! {
        #doc
        #[derive(Debug)]
        pub enum #name {
            #(#variants)*
        }
    }
}

/// Reads a field as the part that its name says.
fn choose(api: &Api, side: Side, name: &Ident, multipart: &Multipart) -> TokenStream {
    let arms = multipart.parts.iter().map(|part| arm(api, side, name, part));
    quote! {
        let part = match field.name() {
            #(#arms)*
            _ => return Err(field.unexpected()),
        };
        Ok(Some(part))
    }
}

fn declared(side: Side, multipart: &Multipart) -> TokenStream {
    let name = parts(multipart);
    let bounds = bounds(side, &multipart.rules);
    let closed = multipart.closed.then(|| quote!(.closed()));
    let positional = multipart.positional.then(|| quote!(.positional()));
    let parts = multipart.parts.iter().map(|part| described(side, part));
    quote! {
        static #name: multipart::Parts = multipart::Parts::new(&[#(#parts),*])#bounds #closed #positional;
    }
}

fn described(side: Side, part: &Part) -> TokenStream {
    let name = &part.field.name.wire;
    let required = match part.field.presence {
        Presence::Required | Presence::Nullable => Some(quote!(.required())),
        Presence::Optional | Presence::OptionalNullable => None,
    };
    let repeated = part.repeated.then(|| quote!(.repeated()));
    let bounds = bounds(side, &part.rules);
    let texts = |method: &str, texts: Vec<&String>| {
        let method = ty::ident(method);
        (!texts.is_empty()).then(|| quote!(.#method(&[#(#texts),*])))
    };
    let content_types = texts("content_types", part.content_types.iter().collect());
    let headers = part.headers.iter().filter(|header| header.required).map(|header| &header.name);
    let headers = texts("headers", headers.collect());
    quote!(multipart::PartDescription::new(#name)#required #repeated #bounds #content_types #headers)
}

/// The bounds of a number of parts, which only a server checks.
fn bounds(side: Side, rules: &[Rule]) -> TokenStream {
    let bounds = rules.iter().filter(|_| side == Side::Server).filter_map(|rule| match rule {
        Rule::MinItems(bound) | Rule::MinProperties(bound) => {
            let bound = ty::number(*bound);
            Some(quote!(.at_least(#bound)))
        }
        Rule::MaxItems(bound) | Rule::MaxProperties(bound) => {
            let bound = ty::number(*bound);
            Some(quote!(.at_most(#bound)))
        }
        _ => None,
    });
    bounds.collect()
}

fn variant(api: &Api, side: Side, part: &Part) -> TokenStream {
    let wire = format!("`{}`", part.field.name.wire);
    let doc = doc::doc(part.field.doc.as_deref().unwrap_or(&wire));
    let deprecated = model::deprecated(part.field.deprecated);
    let name = ty::ident(&part.variant);
    let held = held(api, side, part);
    quote!(#doc #deprecated #name(#held),)
}

fn held(api: &Api, side: Side, part: &Part) -> TokenStream {
    let module = module(side);
    super::held(api, part, quote!(#module::FilePart))
}

fn arm(api: &Api, side: Side, part_name: &Ident, part: &Part) -> TokenStream {
    let wire = &part.field.name.wire;
    let name = ty::ident(&part.variant);
    let read = read(api, side, part);
    quote!(#wire => #part_name::#name(#read),)
}

/// Reads a field as this part.
fn read(api: &Api, side: Side, part: &Part) -> TokenStream {
    let rules = if side == Side::Server { rules::of_value(api, value(part)) } else { None };
    let read = match part.kind {
        PartKind::File => quote!(field.file()),
        PartKind::Text => {
            let style = part.style.map(|style| parameter::style(style, false, false));
            let read = Function::with("text", style, rules).call();
            quote!(field.#read.await?)
        }
        PartKind::Json => {
            let read = Function::new("json", rules).call();
            quote!(field.#read.await?)
        }
    };
    if part.has_headers() {
        quote!(multipart::WithHeaders { headers: field.headers().clone(), value: #read })
    } else {
        read
    }
}
