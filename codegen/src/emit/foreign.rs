//! `foreign.rs`: how the types of other crates are read and written.

mod form;

use std::collections::BTreeMap;

use super::profile::Side;
use super::{SourceFile, doc, mentions, runtime, ty};
use crate::ir::{Api, Codec, Foreign, ForeignForm, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The types of other crates, each of them once for what knows how it is read and written.
pub(crate) fn list(api: &Api) -> Vec<&Foreign> {
    let mut list = BTreeMap::new();
    for ty in mentions::types(api) {
        if let Type::Foreign(foreign) = ty {
            list.entry(foreign.text()).or_insert(foreign);
        }
    }
    list.into_values().collect()
}

/// Whether the path of such a type names something of a crate.
pub(crate) fn names_type_of(api: &Api, crate_: &str) -> bool {
    list(api).iter().any(|foreign| foreign.path.contains(&format!("::{crate_}::")))
}

/// Those for which this crate implements the traits of the runtime.
fn implemented(api: &Api) -> Vec<&Foreign> {
    let is_implemented = |foreign: &&Foreign| match foreign.codec {
        Codec::Type | Codec::With(_) => !foreign.is_wrapped(&api.runtime),
        Codec::Runtime(_) => false,
    };
    list(api).into_iter().filter(is_implemented).collect()
}

/// The module, if it is needed, and whether others see something of it.
pub(crate) fn module(api: &Api) -> Option<(&'static str, bool)> {
    let has_forms = !form::list(api).is_empty();
    (has_forms || !implemented(api).is_empty()).then_some(("foreign", has_forms))
}

/// The file, if it is needed.
pub(crate) fn file(api: &Api, side: Side) -> Option<SourceFile<'_>> {
    module(api)?;
    let (implemented, forms) = (implemented(api), form::list(api));
    Some(SourceFile::new("src/foreign.rs", move || {
        let doc = doc::own_inner("How the types of other crates are read and written.");
        let forms = forms.iter().map(form::form);
        let check = runtime::check(api, side);
        let impls = implemented.iter().map(|foreign| impls(foreign, check));
        quote!(#doc #(#forms)* #(#impls)*)
    }))
}

fn impls(foreign: &Foreign, check: runtime::When) -> TokenStream {
    let name = ty::foreign(foreign);
    let codec = match (&foreign.codec, foreign.form()) {
        (Codec::With(functions), form) => form::codec(foreign, functions, form),
        (_, ForeignForm::Text) => {
            let text = text(&name, &quote!(foreign::from_text(text)), &quote!(self.to_string()));
            let json = json(&name, &quote!(json.parse()), &quote!(json.text(self)));
            quote!(#text #json)
        }
        (_, ForeignForm::Number) => {
            let text = text(&name, &quote!(foreign::number_from_text(text)), &quote!(self.to_string()));
            let json = json(&name, &quote!(foreign::read_number(json)), &quote!(foreign::write_number(self, json)));
            quote!(#text #json)
        }
        (_, ForeignForm::Json) => {
            json(&name, &quote!(foreign_json::read(json)), &quote!(foreign_json::write(self, json)))
        }
    };
    let check = match check {
        runtime::When::Always => quote!(impl Check for #name {}),
        runtime::When::WithWebhooks => {
            quote!(#[cfg(feature = "webhooks")] impl crate::runtime::rule::Check for #name {})
        }
        runtime::When::Never => TokenStream::new(),
    };
    quote!(#codec #check)
}

/// A type that is one text in parameters.
fn text(name: &TokenStream, from_text: &TokenStream, to_text: &TokenStream) -> TokenStream {
    quote! {
        impl FromText for #name {
            fn from_text(text: &str) -> Result<Self, Refusal> {
                #from_text
            }
        }

        impl ToText for #name {
            fn to_text(&self) -> Cow<'_, str> {
                Cow::Owned(#to_text)
            }
        }
    }
}

/// JSON in both directions.
fn json(name: &TokenStream, read: &TokenStream, write: &TokenStream) -> TokenStream {
    quote! {
        impl Read for #name {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                #read
            }
        }

        impl Write for #name {
            fn write(&self, json: &mut Writer) {
                #write;
            }
        }
    }
}
