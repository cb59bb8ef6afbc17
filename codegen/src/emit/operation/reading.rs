//! The functions of the runtime that read values.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::ty;

/// A reading function, with or without rules.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) arguments: Vec<TokenStream>,
}

impl Function {
    pub(crate) fn new(name: &str, rules: Option<TokenStream>) -> Self {
        Self::with(name, None, rules)
    }

    /// With an argument before the rules.
    pub(crate) fn with(name: &str, argument: Option<TokenStream>, rules: Option<TokenStream>) -> Self {
        let with = if argument.is_some() { "_with" } else { "" };
        let checked = if rules.is_some() { "_checked" } else { "" };
        Self { name: format!("{name}{with}{checked}"), arguments: argument.into_iter().chain(rules).collect() }
    }

    pub(crate) fn call(&self) -> TokenStream {
        let name = ty::ident(&self.name);
        let arguments = &self.arguments;
        quote!(#name(#(#arguments),*))
    }
}
