//! `foreign.rs`: implementations for types of other crates.

mod form;

use std::collections::BTreeMap;

use super::{SourceFile, doc};
use crate::ir::{Api, Foreign, Type};
use quote::quote;

/// The types of other crates, each once per codec.
pub(crate) fn list(api: &Api) -> Vec<&Foreign> {
    let mut list = BTreeMap::new();
    for ty in api.types() {
        if let Type::Foreign(foreign) = ty {
            list.entry(foreign.text()).or_insert(foreign);
        }
    }
    list.into_values().collect()
}

/// Whether the path of such a type mentions the crate.
pub(crate) fn names_type_of(api: &Api, crate_: &str) -> bool {
    list(api).iter().any(|foreign| foreign.path.contains(&format!("::{crate_}::")))
}

/// Whether a type has conversion functions of the user.
pub(crate) fn has_forms(api: &Api) -> bool {
    !form::list(api).is_empty()
}

/// The file, if it is needed.
pub(crate) fn file(api: &Api) -> Option<SourceFile<'_>> {
    let forms = form::list(api);
    (!forms.is_empty()).then(|| {
        SourceFile::new("src/foreign.rs", move || {
            let doc = doc::own_inner("How the types of other crates are read and written.");
            let forms = forms.iter().map(form::form);
            quote!(#doc #(#forms)*)
        })
    })
}
