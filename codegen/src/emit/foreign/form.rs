//! Types of other crates with conversion functions of the user.

use std::collections::BTreeMap;

use crate::emit::{doc, ty};
use crate::ir::{Api, Codec, Foreign, Functions};
use proc_macro2::TokenStream;
use quote::quote;

/// A module, and the types that its functions convert.
pub(super) struct Form<'api> {
    functions: &'api Functions,
    types: Vec<&'api Foreign>,
}

/// The modules whose functions are used through a runtime wrapper, by the names of the types that represent
/// them.
pub(super) fn list(api: &Api) -> Vec<Form<'_>> {
    let mut forms: BTreeMap<&str, Form<'_>> = BTreeMap::new();
    for foreign in super::list(api) {
        if let Codec::With(functions) = &foreign.codec {
            let form = forms.entry(&functions.rust).or_insert_with(|| Form { functions, types: Vec::new() });
            form.types.push(foreign);
        }
    }
    forms.into_values().collect()
}

/// The type that represents a module, with its delegation.
pub(super) fn form(form: &Form<'_>) -> TokenStream {
    let name = ty::ident(&form.functions.rust);
    let module = ty::tokens(&form.functions.module);
    let doc = doc::own(&format!("The form that `{}` reads and writes.", form.functions.module));
    let impls = form.types.iter().map(|foreign| {
        let foreign = ty::foreign(foreign);
        quote! {
            impl with::Form<#foreign> for #name {
                fn to_text(value: &#foreign) -> String {
                    #module::to_text(value)
                }

                fn from_text(text: &str) -> Result<#foreign, impl fmt::Display> {
                    #module::from_text(text)
                }
            }
        }
    });

    quote! {
        #doc
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct #name;

        #(#impls)*
    }
}
