//! Multipart bodies as a caller fills them: a struct with a field per part.

use crate::emit::constructor::{self, Slot, Source};
use crate::emit::operation::multipart::bodies;
use crate::emit::{doc, model, ty};
use crate::ir::{Api, Multipart, Operation, Part, PartKind, Type, Value};
use proc_macro2::TokenStream;
use quote::quote;

/// The multipart bodies that the operation can be sent.
pub(super) fn items(api: &Api, operation: &Operation) -> TokenStream {
    bodies(operation).into_iter().map(|(rust, multipart)| body(api, operation, &rust, multipart)).collect()
}

/// The names of the types.
pub(super) fn names(operation: &Operation) -> Vec<String> {
    bodies(operation).into_iter().map(|(rust, _)| rust).collect()
}

fn body(api: &Api, operation: &Operation, rust: &str, multipart: &Multipart) -> TokenStream {
    let text = doc::own(&format!("The parts of the body of [`{}`].", operation.name.rust));
    let name = ty::ident(rust);
    let is_default = if operation.webhook.is_some() {
        !multipart.parts.iter().any(Part::is_required)
    } else {
        multipart.has_client_default(&api.models)
    };
    let derive = if is_default { quote!(#[derive(Debug, Default)]) } else { quote!(#[derive(Debug)]) };
    let fields = multipart.parts.iter().map(|part| field(api, part));
    let new = multipart.has_new(api).then(|| {
        let slots = multipart.parts.iter().map(|part| Slot { rust: &part.field.name.rust, source: source(api, part) });
        constructor::new("parts", &slots.collect::<Vec<_>>())
    });
    let adds = multipart.parts.iter().map(add);

    quote! {
        #text
        #derive
        pub struct #name {
            #(#fields)*
        }

        impl #name {
            #new

            fn into_multipart(self) -> client::Multipart {
                client::Multipart::new() #(#adds)*
            }
        }
    }
}

fn field(api: &Api, part: &Part) -> TokenStream {
    let wire = format!("`{}`", part.field.name.wire);
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

/// What one part holds.
fn held(api: &Api, part: &Part) -> TokenStream {
    match part.kind {
        PartKind::File => quote!(client::Part),
        PartKind::Text | PartKind::Json => ty::present(api, value(part)),
    }
}

fn source(api: &Api, part: &Part) -> Source {
    if part.repeated {
        Source::Absent(quote!(Vec::new()))
    } else if !part.is_required() {
        Source::Absent(quote!(None))
    } else if part.kind == PartKind::Text && value(part).ty == Type::String {
        Source::Text
    } else {
        Source::Argument(held(api, part))
    }
}

/// The line that adds the part, or what there is of it, to the body.
fn add(part: &Part) -> TokenStream {
    let wire = &part.field.name.wire;
    let field = ty::ident(&part.field.name.rust);
    let declared = part.content_types.iter().map(String::as_str).find(|content_type| !content_type.contains('*'));
    let (method, content_type, value) = match (part.kind, declared) {
        (PartKind::File, _) => ("file", declared.or(Some("application/octet-stream")), quote!(self.#field)),
        (PartKind::Json, _) => ("json", declared.or(Some("application/json")), quote!(&self.#field)),
        (PartKind::Text, None) => ("text", None, quote!(&self.#field)),
        (PartKind::Text, Some(_)) => ("typed_text", declared, quote!(&self.#field)),
    };
    let method = ty::ident(&if part.is_required() { method.to_owned() } else { format!("{method}s") });
    let content_type = content_type.map(|content_type| quote!(#content_type,));
    quote!(.#method(#wire, #content_type #value))
}

/// The value of one part.
fn value(part: &Part) -> &Value {
    match &part.field.value.ty {
        // The items of a list are parts of their own.
        Type::Array(item) if part.repeated => item,
        _ => &part.field.value,
    }
}
