//! Multipart bodies as a caller fills them: a struct with a field per part.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::operation::content;
use crate::emit::{doc, model, ty};
use crate::ir::{Api, ContentKind, Multipart, Operation, Part, PartKind, Presence, Type, Value};

/// The multipart bodies that the operation can be sent.
pub(super) fn items(api: &Api, operation: &Operation) -> TokenStream {
    bodies(operation).into_iter().map(|(rust, multipart)| body(api, operation, &rust, multipart)).collect()
}

/// The names of the types.
pub(super) fn names(operation: &Operation) -> Vec<String> {
    bodies(operation).into_iter().map(|(rust, _)| rust).collect()
}

fn bodies(operation: &Operation) -> Vec<(String, &Multipart)> {
    let Some(body) = &operation.request_body else { return Vec::new() };
    let several = body.contents.len() > 1;
    let name = |content| if several { content::variant_rust(content, &body.rust) } else { body.rust.clone() };
    let multipart = body.contents.iter().filter_map(|content| match &content.kind {
        ContentKind::Multipart(multipart) => Some((name(content), multipart)),
        ContentKind::Json(_) | ContentKind::Text | ContentKind::Bytes | ContentKind::Form(_) => None,
    });
    multipart.collect()
}

fn body(api: &Api, operation: &Operation, rust: &str, multipart: &Multipart) -> TokenStream {
    let text = doc::own(&format!("The parts of the body of [`{}`].", operation.name.rust));
    let name = ty::ident(rust);
    let derive = if multipart.parts.iter().all(|part| part.repeated || !is_required(part)) {
        quote!(#[derive(Debug, Default)])
    } else {
        quote!(#[derive(Debug)])
    };
    let fields = multipart.parts.iter().map(|part| field(api, part));
    let adds = multipart.parts.iter().map(add);

    quote! {
        #text
        #derive
        pub struct #name {
            #(#fields)*
        }

        impl #name {
            fn into_multipart(self) -> client::Multipart {
                let mut multipart = client::Multipart::new();
                #(#adds)*
                multipart
            }
        }
    }
}

fn field(api: &Api, part: &Part) -> TokenStream {
    let wire = format!("`{}`", part.field.name.wire);
    let text = doc::doc(part.field.doc.as_deref().unwrap_or(&wire));
    let deprecated = model::deprecated(part.field.deprecated);
    let name = ty::ident(&part.field.name.rust);
    let held = match part.kind {
        PartKind::File => quote!(client::Part),
        PartKind::Text | PartKind::Json => ty::present(api, value(part)),
    };
    let held = if part.repeated {
        quote!(Vec<#held>)
    } else if is_required(part) {
        held
    } else {
        quote!(Option<#held>)
    };
    quote!(#text #deprecated pub #name: #held,)
}

/// The line that adds the part to the body.
fn add(part: &Part) -> TokenStream {
    let wire = &part.field.name.wire;
    let field = ty::ident(&part.field.name.rust);
    let content_type = part.content_type.as_deref().filter(|content_type| !content_type.contains('*'));
    let add = |value: TokenStream| match (part.kind, content_type) {
        (PartKind::File, content_type) => {
            let content_type = content_type.unwrap_or("application/octet-stream");
            quote!(multipart.file(#wire, #content_type, #value))
        }
        (PartKind::Json, content_type) => {
            let content_type = content_type.unwrap_or("application/json");
            quote!(multipart.json(#wire, #content_type, &#value))
        }
        (PartKind::Text, Some(content_type)) => quote!(multipart.typed_text(#wire, #content_type, &#value)),
        (PartKind::Text, None) => quote!(multipart.text(#wire, &#value)),
    };
    if part.repeated {
        let add = add(quote!(part));
        quote! {
            for part in self.#field {
                #add;
            }
        }
    } else if is_required(part) {
        let add = add(quote!(self.#field));
        quote!(#add;)
    } else {
        let add = add(quote!(part));
        quote! {
            if let Some(part) = self.#field {
                #add;
            }
        }
    }
}

fn is_required(part: &Part) -> bool {
    match part.field.presence {
        Presence::Required => true,
        Presence::Nullable | Presence::Optional | Presence::OptionalNullable => false,
    }
}

/// What one part holds.
fn value(part: &Part) -> &Value {
    match &part.field.value.ty {
        // The items of a list are parts of their own.
        Type::Array(item) if part.repeated => item,
        _ => &part.field.value,
    }
}
