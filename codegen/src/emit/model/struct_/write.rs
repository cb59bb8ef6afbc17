//! How an object is written as the named texts of a parameter or a form.

use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Constant, Field, Model, Presence, Struct, TextForm};
use printing::{Tokens, format_ident, quote};

/// A function with more lines than this would be a very long one.
const LINES: usize = 90;

/// `impl ToParameter`.
pub(super) fn items(side: Side, model: &Model, struct_: &Struct) -> Tokens {
    let fields = struct_.fields.iter().filter(|field| side.writes_field(field));
    let name = ty::ident(&model.name.rust);
    let lines: Vec<_> = fields.map(text_line).collect();
    let additional = struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        let is_text = additional.form != TextForm::Json;
        if is_text { quote!(fields.entries(&self.#rust);) } else { quote!(fields.json_entries(&self.#rust);) }
    });
    if lines.is_empty() && additional.is_none() {
        return quote! {
            impl ToParameter for #name {
                fn to_parameter(&self) -> Raw<'_> {
                    Fields::new().into_raw()
                }
            }
        };
    }
    let (lines, rest) = chunks(model, &lines);

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
fn chunks(model: &Model, lines: &[Tokens]) -> (Tokens, Tokens) {
    if lines.len() <= LINES {
        return (quote!(#(#lines)*), Tokens::new());
    }

    let model = ty::ident(&model.name.rust);
    let names = (1..=lines.len().div_ceil(LINES)).map(|index| format_ident!("add_rest_{index}"));
    let calls = names.clone().map(|name| quote!(self.#name(&mut fields);));
    let functions = names.zip(lines.chunks(LINES)).map(|(name, lines)| {
        quote! {
            fn #name<'a>(&'a self, fields: &mut Fields<'a>) {
                #(#lines)*
            }
        }
    });
    (quote!(#(#calls)*), quote!(impl #model { #(#functions)* }))
}

/// One line: the member and what of it is written; `null` has no form.
fn text_line(field: &Field) -> Tokens {
    let wire = &field.name.wire;
    if let Some(constant) = field.constant.as_ref().map(Constant::text) {
        return quote!(fields.required(#wire, #constant););
    }
    let rust = ty::ident(&field.name.rust);
    let form = field.form;
    if form.is_boxed(&field.value) {
        return match field.presence {
            Presence::Required => quote!(fields.required(#wire, &*self.#rust);),
            Presence::Optional | Presence::Nullable => quote!(fields.optional_boxed(#wire, &self.#rust);),
            Presence::OptionalNullable => quote!(fields.maybe_boxed(#wire, &self.#rust);),
        };
    }
    let call = match (field.presence, form != TextForm::Json) {
        (Presence::Required, true) => quote!(required),
        (Presence::Required, false) => quote!(required_json),
        (Presence::Optional | Presence::Nullable, true) => quote!(optional),
        (Presence::Optional | Presence::Nullable, false) => quote!(optional_json),
        (Presence::OptionalNullable, true) => quote!(maybe),
        (Presence::OptionalNullable, false) => quote!(maybe_json),
    };
    quote!(fields.#call(#wire, &self.#rust);)
}
