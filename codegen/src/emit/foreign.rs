//! `foreign.rs`: how the types of other crates are read and written.

use std::collections::BTreeMap;

use super::profile::Side;
use super::{SourceFile, doc, mentions, runtime, ty};
use crate::ir::{Api, Codec, Foreign, ForeignForm, Runtime, Type};
use printing::{Tokens, quote};

/// The types of other crates, each of them once.
pub(crate) fn list(api: &Api) -> Vec<&Foreign> {
    let mut list = BTreeMap::new();
    for ty in mentions::types(api) {
        if let Type::Foreign(foreign) = ty {
            list.entry(foreign.path.as_str()).or_insert(foreign);
        }
    }
    list.into_values().collect()
}

/// Those that know themselves how they are read and written.
fn implemented(api: &Api) -> Vec<&Foreign> {
    list(api).into_iter().filter(|foreign| foreign.codec == Codec::Type).collect()
}

/// Whether there are such types, for which this crate may implement the traits of the runtime.
pub(crate) fn is_needed(api: &Api) -> bool {
    api.runtime == Runtime::Embed && !implemented(api).is_empty()
}

/// The file, if it is needed.
pub(crate) fn file(api: &Api, side: Side) -> Option<SourceFile<'_>> {
    let list = implemented(api);
    is_needed(api).then(|| {
        SourceFile::new("src/foreign.rs", move || {
            let doc = doc::own_inner("How the types of other crates are read and written.");
            let check = runtime::check(api, side);
            let impls = list.iter().map(|foreign| impls(foreign, check));
            quote!(#doc #(#impls)*)
        })
    })
}

fn impls(foreign: &Foreign, check: runtime::When) -> Tokens {
    let codec = match foreign.form() {
        ForeignForm::Text => text(foreign, &quote!(from_text), &quote!(json.parse()), &quote!(json.text(self);)),
        ForeignForm::Number => text(
            foreign,
            &quote!(number_from_text),
            &quote!(foreign::read_number(json)),
            &quote!(foreign::write_number(self, json);),
        ),
        ForeignForm::Json => {
            codec(foreign, &quote!(foreign_json::read(json)), &quote!(foreign_json::write(self, json);))
        }
    };
    let name = ty::foreign(foreign);
    let check = match check {
        runtime::When::Always => quote!(impl Check for #name {}),
        runtime::When::WithWebhooks => {
            quote!(#[cfg(feature = "webhooks")] impl crate::runtime::rule::Check for #name {})
        }
        runtime::When::Never => Tokens::new(),
    };
    quote!(#codec #check)
}

/// A type that is one text in parameters.
fn text(foreign: &Foreign, from_text: &Tokens, read: &Tokens, write: &Tokens) -> Tokens {
    let name = ty::foreign(foreign);
    let codec = codec(foreign, read, write);

    quote! {
        impl FromText for #name {
            fn from_text(text: &str) -> Result<Self, Refusal> {
                foreign::#from_text(text)
            }
        }

        impl ToText for #name {
            fn to_text(&self) -> Cow<'_, str> {
                Cow::Owned(self.to_string())
            }
        }

        #codec
    }
}

/// JSON in both directions.
fn codec(foreign: &Foreign, read: &Tokens, write: &Tokens) -> Tokens {
    let name = ty::foreign(foreign);

    quote! {
        impl Read for #name {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                #read
            }
        }

        impl Write for #name {
            fn write(&self, json: &mut Writer) {
                #write
            }
        }
    }
}
