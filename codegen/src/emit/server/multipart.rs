//! Multipart bodies in the server: read part by part while they arrive.

use heck::ToShoutySnakeCase;

use crate::emit::model::rules;
use crate::emit::operation::multipart::bodies;
use crate::emit::operation::reading::Function;
use crate::emit::{doc, model, parameter, ty};
use crate::ir::{Api, Multipart, Operation, Part, PartKind, Presence, Type, Value};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The multipart bodies of the operation, with their parts.
pub(super) fn items(api: &Api, operation: &Operation) -> TokenStream {
    bodies(operation).into_iter().map(|(rust, multipart)| body(api, operation, &rust, multipart)).collect()
}

/// The names of the types.
pub(super) fn names(operation: &Operation) -> Vec<String> {
    let names = |(rust, multipart): (String, &Multipart)| match multipart.item() {
        Some(_) => vec![rust],
        None => vec![multipart.part_rust.clone(), rust],
    };
    bodies(operation).into_iter().flat_map(names).collect()
}

/// The static that lists the parts of a body.
pub(super) fn parts(multipart: &Multipart) -> Ident {
    format_ident!("{}S", multipart.part_rust.to_shouty_snake_case())
}

fn body(api: &Api, operation: &Operation, rust: &str, multipart: &Multipart) -> TokenStream {
    let name = ty::ident(rust);
    let declared = declared(multipart);
    let item_doc = multipart.item().and_then(|item| item.field.doc.as_deref()).map(|text| {
        let text = doc::doc(text);
        quote!(#[doc = ""] #text)
    });
    let body_doc = doc::own(&format!("The body of [`{}`], to be read while it is being sent.", operation.name.rust));
    let (part, enum_, read) = if let Some(item) = multipart.item() {
        let read = read(api, item);
        (held(api, item), None, quote!(Ok(Some(#read))))
    } else {
        let part = ty::ident(&multipart.part_rust);
        let read = choose(api, &part, multipart);
        (quote!(#part), Some(enum_(api, rust, multipart)), read)
    };

    quote! {
        #body_doc
        #item_doc
        #[derive(Debug)]
        pub struct #name {
            multipart: server::Multipart,
        }

        #enum_

        #declared

        impl #name {
            fn new(multipart: server::Multipart) -> Self {
                Self { multipart }
            }

            /// The next part, in the order in which they are sent; `None` after the last.
            ///
            /// A file must be read or dropped before the part after it is asked for.
            pub async fn next(&mut self) -> Result<Option<#part>, server::Failure<server::Common>> {
                let Some(field) = self.multipart.next().await? else { return Ok(None) };
                #read
            }
        }
    }
}

/// The enum of the parts.
fn enum_(api: &Api, rust: &str, multipart: &Multipart) -> TokenStream {
    let doc = doc::own(&format!("A part of [`{rust}`]."));
    let name = ty::ident(&multipart.part_rust);
    let variants = multipart.parts.iter().map(|declared| variant(api, declared));
    quote! {
        #doc
        #[derive(Debug)]
        pub enum #name {
            #(#variants)*
        }
    }
}

/// Reads a field as the part that its name says.
fn choose(api: &Api, name: &Ident, multipart: &Multipart) -> TokenStream {
    let arms = multipart.parts.iter().map(|part| arm(api, name, part));
    quote! {
        let part = match field.name() {
            #(#arms)*
            _ => return Err(field.unexpected()),
        };
        Ok(Some(part))
    }
}

fn declared(multipart: &Multipart) -> TokenStream {
    let name = parts(multipart);
    let closed = multipart.closed;
    let whole = rules::of_whole(&multipart.rules);
    let parts = multipart.parts.iter().map(|part| {
        let name = &part.field.name.wire;
        let required = match part.field.presence {
            Presence::Required | Presence::Nullable => true,
            Presence::Optional | Presence::OptionalNullable => false,
        };
        let repeated = part.repeated;
        let rules = rules::of_whole(&part.rules);
        let content_types = &part.content_types;
        let headers = part.headers.iter().filter(|header| header.required).map(|header| &header.name);
        quote! {
            server::Part {
                name: #name,
                required: #required,
                repeated: #repeated,
                rules: #rules,
                content_types: &[#(#content_types),*],
                headers: &[#(#headers),*],
            }
        }
    });
    let positional = multipart.positional;
    quote! {
        static #name: server::Parts =
            server::Parts { parts: &[#(#parts),*], rules: #whole, closed: #closed, positional: #positional };
    }
}

fn variant(api: &Api, part: &Part) -> TokenStream {
    let wire = format!("`{}`", part.field.name.wire);
    let doc = doc::doc(part.field.doc.as_deref().unwrap_or(&wire));
    let deprecated = model::deprecated(part.field.deprecated);
    let name = ty::ident(&part.variant);
    let held = held(api, part);
    quote!(#doc #deprecated #name(#held),)
}

/// What one part holds.
fn held(api: &Api, part: &Part) -> TokenStream {
    let held = match part.kind {
        PartKind::File => quote!(server::FilePart),
        PartKind::Text | PartKind::Json => ty::present(api, value(part)),
    };
    if part.has_headers() { quote!(server::WithHeaders<#held>) } else { held }
}

fn arm(api: &Api, part_name: &Ident, part: &Part) -> TokenStream {
    let wire = &part.field.name.wire;
    let name = ty::ident(&part.variant);
    let read = read(api, part);
    quote!(#wire => #part_name::#name(#read),)
}

/// Reads a field as this part.
fn read(api: &Api, part: &Part) -> TokenStream {
    let rules = rules::of_value(api, value(part));
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
        quote!(server::WithHeaders { headers: field.headers().clone(), value: #read })
    } else {
        read
    }
}

/// The type of the part's value.
fn value(part: &Part) -> &Value {
    match &part.field.value.ty {
        // The items of a list are separate parts.
        Type::Array(item) if part.repeated => item,
        _ => &part.field.value,
    }
}
