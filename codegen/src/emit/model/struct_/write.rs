//! How an object is written: as JSON, and as the named texts of a parameter or a form.

use crate::emit::profile::Side;
use crate::emit::text_form::TextForm;
use crate::emit::ty;
use crate::ir::{Api, Constant, Field, Model, Presence, Struct};
use printing::{Tokens, format_ident, quote};

/// A function with more lines than this would be a very long one.
const LINES: usize = 90;

/// `impl Write`, and `impl ToParameter` for what is also a parameter.
pub(super) fn items(api: &Api, side: Side, model: &Model, struct_: &Struct) -> Tokens {
    let fields: Vec<_> = struct_.fields.iter().filter(|field| side.writes_field(field)).collect();
    let write = write(model, struct_, &fields);
    let to_parameter = model.in_parameter.then(|| to_parameter(api, model, struct_, &fields));
    quote!(#write #to_parameter)
}

fn write(model: &Model, struct_: &Struct, fields: &[&Field]) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let lines: Vec<_> = fields.iter().map(|field| json_line(field)).collect();
    let additional = struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        quote!(json.entries(&self.#rust);)
    });
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

fn to_parameter(api: &Api, model: &Model, struct_: &Struct, fields: &[&Field]) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let lines: Vec<_> = fields.iter().map(|field| text_line(api, field)).collect();
    let additional = struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        let is_text = TextForm::of(api, &additional.value) != TextForm::Json && !additional.value.nullable;
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
fn chunks(model: &Model, name: &str, target: &Tokens, target_type: &Tokens, lines: &[Tokens]) -> (Tokens, Tokens) {
    if lines.len() <= LINES {
        return (quote!(#(#lines)*), Tokens::new());
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
fn json_line(field: &Field) -> Tokens {
    let wire = in_json(&field.name.wire);
    match &field.constant {
        Some(Constant::String(text)) => return quote!(json.required(#wire, #text);),
        Some(Constant::Integer(number)) => {
            // Not every number is an `i32`.
            let number = Tokens::read(&format!("{number}i64"));
            return quote!(json.required(#wire, &#number););
        }
        Some(Constant::Boolean(flag)) => return quote!(json.required(#wire, &#flag);),
        None => {}
    }
    let rust = ty::ident(&field.name.rust);
    match field.presence {
        Presence::Required | Presence::Nullable => quote!(json.required(#wire, &self.#rust);),
        Presence::Optional => quote!(json.optional(#wire, &self.#rust);),
        Presence::OptionalNullable => quote!(json.maybe(#wire, &self.#rust);),
    }
}

/// A name as it stands in JSON between the quotes.
fn in_json(name: &str) -> String {
    let quoted = serde_json::Value::from(name).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The same for a parameter, where `null` has no form.
fn text_line(api: &Api, field: &Field) -> Tokens {
    let wire = &field.name.wire;
    if let Some(constant) = field.constant.as_ref().map(Constant::text) {
        return quote!(fields.required(#wire, #constant););
    }
    let rust = ty::ident(&field.name.rust);
    let form = TextForm::of(api, &field.value);
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
