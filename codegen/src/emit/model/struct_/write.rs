//! How an object is written: as JSON, and as the named texts of a parameter or a form.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Field, Model, Presence, Struct};

/// A function with more lines than this would be a very long one.
const LINES: usize = 90;

/// `impl Write`, and `impl ToParameter` for what is also a parameter.
pub(super) fn items(side: Side, model: &Model, struct_: &Struct) -> TokenStream {
    let fields: Vec<_> = struct_.fields.iter().filter(|field| side.writes_field(field)).collect();
    let write = write(model, struct_, &fields);
    let to_parameter = model.in_parameter.then(|| to_parameter(model, struct_, &fields));
    quote!(#write #to_parameter)
}

fn write(model: &Model, struct_: &Struct, fields: &[&Field]) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let lines: Vec<_> = fields.iter().map(|field| json_line(field)).collect();
    let additional = additional(&quote!(json), struct_);
    let (lines, rest) = chunks(model, "write_rest", &quote!(json), &quote!(&mut Writer), &lines);

    quote! {
        impl Write for #name {
            fn write(&self, json: &mut Writer) {
                json.begin_object();
                #lines
                #additional
                json.end_object();
            }
        }

        #rest
    }
}

fn to_parameter(model: &Model, struct_: &Struct, fields: &[&Field]) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let lines: Vec<_> = fields.iter().map(|field| text_line(field)).collect();
    let additional = additional(&quote!(fields), struct_);
    if lines.is_empty() && additional.is_none() {
        return quote! {
            impl ToParameter for #name {
                fn to_parameter(&self) -> Raw<'_> {
                    Fields::new().into_raw()
                }
            }
        };
    }
    let (lines, rest) = chunks(model, "add_rest", &quote!(fields), &quote!(&mut Fields<'a>), &lines);

    quote! {
        impl ToParameter for #name {
            fn to_parameter(&self) -> Raw<'_> {
                let mut fields = Fields::new();
                #lines
                #additional
                fields.into_raw()
            }
        }

        #rest
    }
}

/// All lines, or calls of functions that have some of them each.
fn chunks(
    model: &Model,
    name: &str,
    target: &TokenStream,
    target_type: &TokenStream,
    lines: &[TokenStream],
) -> (TokenStream, TokenStream) {
    if lines.len() <= LINES {
        return (quote!(#(#lines)*), TokenStream::new());
    }

    let model = ty::ident(&model.name.rust);
    let borrows = target_type.to_string().contains('\'');
    let (lifetime, self_) = if borrows { (quote!(<'a>), quote!(&'a self)) } else { (quote!(), quote!(&self)) };
    let argument = if borrows { quote!(&mut #target) } else { quote!(#target) };
    let names = (1..=lines.len().div_ceil(LINES)).map(|index| format_ident!("{name}_{index}"));
    let calls = names.clone().map(|name| quote!(self.#name(#argument);));
    let functions = names.zip(lines.chunks(LINES)).map(|(name, lines)| {
        quote! {
            fn #name #lifetime(#self_, #target: #target_type) {
                #(#lines)*
            }
        }
    });
    (quote!(#(#calls)*), quote!(impl #model { #(#functions)* }))
}

/// One line: the member and what of it is written.
fn json_line(field: &Field) -> TokenStream {
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

/// The same for a parameter, where `null` has no form.
fn text_line(field: &Field) -> TokenStream {
    let wire = &field.name.wire;
    if let Some(constant) = &field.constant {
        return quote!(fields.required(#wire, #constant););
    }
    let rust = ty::ident(&field.name.rust);
    match field.presence {
        Presence::Required => quote!(fields.required(#wire, &self.#rust);),
        Presence::Optional | Presence::Nullable => quote!(fields.optional(#wire, &self.#rust);),
        Presence::OptionalNullable => quote!(fields.maybe(#wire, &self.#rust);),
    }
}

fn additional(target: &TokenStream, struct_: &Struct) -> Option<TokenStream> {
    struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        quote!(#target.entries(&self.#rust);)
    })
}
