//! Named types: picks the emitter of a model, and lists them.

mod alias;
mod derive;
mod enum_;
mod rules;
mod struct_;
mod struct_read;
mod union;

pub(crate) use rules::Rules;
pub(crate) use struct_::default_doc;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::profile::Side;
use super::{SourceFile, doc};
use crate::ir::{Api, Model, ModelKind};

/// `models.rs` and a file for each model.
pub(crate) fn files(api: &Api, side: Side) -> Vec<SourceFile<'_>> {
    if api.models.is_empty() {
        return Vec::new();
    }

    let mut files = vec![SourceFile::new("src/models.rs", move || list(api))];
    for model in &api.models {
        files.push(SourceFile::new(format!("src/models/{}.rs", model.module), move || file(api, side, model)));
    }
    files
}

/// The list of models.
fn list(api: &Api) -> TokenStream {
    let doc = doc::own_inner("The named types of the description, one file each.");
    let modules = api.models.iter().map(module);
    let names = api.models.iter().map(|model| {
        let module = module(model);
        let name = super::ty::ident(&model.name.rust);
        quote!(pub use #module::#name;)
    });

    quote! {
        #doc

        #(mod #modules;)*

        #(#names)*
    }
}

/// The file of one model.
fn file(api: &Api, side: Side, model: &Model) -> TokenStream {
    let doc = doc::own_inner(&format!("`{}`", model.name.wire.replace('`', "'")));
    let items = match &model.kind {
        ModelKind::Struct(struct_) => struct_::items(api, side, model, struct_),
        ModelKind::Enum(enum_) => enum_::items(side, model, enum_),
        ModelKind::Union(union) => union::items(api, side, model, union),
        ModelKind::Alias(alias) => alias::items(api, model, alias),
    };

    quote! {
        #doc
        #items
    }
}

/// The module of a model, which may have to be a raw identifier.
fn module(model: &Model) -> proc_macro2::Ident {
    super::ty::module(&model.module)
}

/// The attributes in front of a model: its documentation and `#[deprecated]`.
fn attributes(model: &Model) -> TokenStream {
    let doc = model.doc.as_deref().map(doc::doc);
    let deprecated = deprecated(model.deprecated);
    quote!(#doc #deprecated)
}

/// `#[deprecated]` for what the description deprecates.
pub(crate) fn deprecated(deprecated: bool) -> Option<TokenStream> {
    deprecated.then(|| quote!(#[deprecated]))
}

/// The pattern or expression of a variant: `Self::Red`.
fn variant(rust: &str) -> TokenStream {
    let rust = format_ident!("{rust}");
    quote!(Self::#rust)
}
