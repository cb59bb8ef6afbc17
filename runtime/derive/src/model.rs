//! What all models share.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::DeriveInput;

use crate::arguments::{Arguments, string};

/// A struct or an enum, with the arguments that every kind of model takes.
pub(crate) struct Model {
    pub(crate) name: Ident,
    /// Whether it is read; otherwise only serde's traits read it.
    reads: bool,
    /// Whether it is written; otherwise only serde's traits write it.
    writes: bool,
    pub(crate) parameter: bool,
    pub(crate) tolerant: bool,
    without_serialize: bool,
    without_deserialize: bool,
    pub(crate) statics: Statics,
    /// The `arbitrary::Shape` of its values.
    pub(crate) shape: TokenStream,
}

/// The distinct patterns and JSON Schemas of a model, which are compiled once.
#[derive(Default)]
pub(crate) struct Statics {
    patterns: Vec<String>,
    schemas: Vec<String>,
}

impl Model {
    /// Takes the arguments that every kind of model has.
    pub(crate) fn of(input: &DeriveInput) -> syn::Result<(Self, Arguments)> {
        let mut arguments = Arguments::of(&input.attrs)?;
        let (only_read, only_write) = (arguments.word("read"), arguments.word("write"));
        let serde_only = arguments.word("serde_only");
        let mut without = arguments.list("without").map(|(_, list)| list).unwrap_or_default();
        let model = Self {
            name: input.ident.clone(),
            reads: !serde_only && (only_read || !only_write),
            writes: !serde_only && (only_write || !only_read),
            parameter: arguments.word("parameter"),
            tolerant: arguments.word("tolerant"),
            without_serialize: without.word("Serialize"),
            without_deserialize: without.word("Deserialize"),
            statics: Statics::default(),
            shape: TokenStream::new(),
        };
        without.finish()?;
        Ok((model, arguments))
    }

    /// `item`, which reads; only serde and arbitrary values need it if the model is not read.
    pub(crate) fn reading(&self, item: impl FnOnce() -> TokenStream) -> Option<TokenStream> {
        both_ways(self.reads, item)
    }

    /// `item`, which writes; only serde and arbitrary values need it if the model is not written.
    pub(crate) fn writing(&self, item: impl FnOnce() -> TokenStream) -> Option<TokenStream> {
        both_ways(self.writes, item)
    }

    /// Whether it is read from a parameter.
    pub(crate) fn reads_parameter(&self) -> bool {
        self.parameter && self.reads
    }

    /// Whether it is written as a parameter.
    pub(crate) fn to_parameter(&self) -> bool {
        self.parameter && self.writes
    }

    /// The trait implementations that are the same for all models.
    pub(crate) fn traits(&self) -> TokenStream {
        let name = &self.name;
        let check = cfg!(feature = "rule")
            .then(|| quote!(__runtime::json::with_rule! { impl __runtime::rule::Check for #name {} }));
        let read = if self.tolerant { quote!(from_slice) } else { quote!(from_slice_both_ways) };
        let serialize = (!self.without_serialize).then(|| quote!(__runtime::serde::bridge! { Serialize for #name }));
        let deserialize =
            (!self.without_deserialize).then(|| quote!(__runtime::serde::bridge! { Deserialize for #name, #read }));
        let serde = cfg!(feature = "serde").then(|| quote!(__runtime::json::with_serde! { #serialize #deserialize }));
        let arbitrary = cfg!(feature = "arbitrary").then(|| {
            let shape = &self.shape;
            quote!(__runtime::json::with_arbitrary! { __runtime::arbitrary::model! { #name, #shape } })
        });
        quote!(#check #serde #arbitrary)
    }
}

fn both_ways(is_used: bool, item: impl FnOnce() -> TokenStream) -> Option<TokenStream> {
    if is_used {
        return Some(item());
    }
    cfg!(any(feature = "arbitrary", feature = "serde")).then(|| {
        let item = item();
        quote!(__runtime::json::with_both_ways! { #item })
    })
}

impl Statics {
    /// The name of the static for a pattern.
    pub(crate) fn pattern(&mut self, text: String) -> Ident {
        name("PATTERN", &mut self.patterns, text)
    }

    /// The name of the static for a JSON Schema.
    pub(crate) fn schema(&mut self, text: String) -> Ident {
        name("SCHEMA", &mut self.schemas, text)
    }

    /// The statics.
    pub(crate) fn items(&self) -> TokenStream {
        let patterns = self.patterns.iter().enumerate().map(|(index, text)| {
            let (name, text) = (format_ident!("PATTERN_{index}"), string(text));
            quote!(static #name: __runtime::rule::Pattern = __runtime::rule::Pattern::new(#text);)
        });
        let schemas = self.schemas.iter().enumerate().map(|(index, text)| {
            let (name, text) = (format_ident!("SCHEMA_{index}"), string(text));
            quote!(static #name: __runtime::rule::Schema = __runtime::rule::Schema::new(#text);)
        });
        quote!(#(#patterns)* #(#schemas)*)
    }
}

fn name(kind: &str, texts: &mut Vec<String>, text: String) -> Ident {
    let index = texts.iter().position(|other| *other == text).unwrap_or_else(|| {
        texts.push(text);
        texts.len() - 1
    });
    format_ident!("{kind}_{index}")
}
