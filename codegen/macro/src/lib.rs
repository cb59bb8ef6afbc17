#![doc = include_str!("../README.md")]

use std::env;
use std::path::PathBuf;

use proc_macro::TokenStream;
use proc_macro2::{TokenStream as Tokens, fallback};
use quote::{quote, quote_spanned};
use specwright::build::{self, Items};
use specwright::{Generator, Side};
use syn::{LitStr, parse_macro_input};

/// The client of the description at this path, as the items of the enclosing module.
///
/// An error of the description is an error at the path, with an excerpt of the description.
#[proc_macro]
pub fn client(input: TokenStream) -> TokenStream {
    expand(Side::Client, &parse_macro_input!(input as LitStr)).into()
}

/// The server of the description at this path, as the items of the enclosing module.
///
/// An error of the description is an error at the path, with an excerpt of the description.
#[proc_macro]
pub fn server(input: TokenStream) -> TokenStream {
    expand(Side::Server, &parse_macro_input!(input as LitStr)).into()
}

/// The models of the description at this path without its operations, as the items of the enclosing module.
///
/// An error of the description is an error at the path, with an excerpt of the description.
#[proc_macro]
pub fn models(input: TokenStream) -> TokenStream {
    expand(Side::Models, &parse_macro_input!(input as LitStr)).into()
}

fn expand(side: Side, document: &LitStr) -> Tokens {
    items(side, document).unwrap_or_else(|error| error.to_compile_error())
}

fn items(side: Side, document: &LitStr) -> syn::Result<Tokens> {
    let error = |message: String| syn::Error::new(document.span(), message);
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folder = folder.ok_or_else(|| error("cargo has to set `CARGO_MANIFEST_DIR`".to_owned()))?;
    let path = folder.join(document.value());
    let manifest = folder.join("Cargo.toml");
    // The generator uses threads, in which the compiler's tokens cannot be made.
    fallback::force();
    let found = build::items(side, &path, &manifest, &Generator::new())
        .map(|Items { items, files, warnings }| (items.to_string(), files, warnings));
    fallback::unforce();
    let (items, files, warnings) = found.map_err(|failure| error(failure.to_string()))?;
    let items: Tokens = items.parse()?;
    let files = files.iter().map(|path| path.to_string_lossy().into_owned());
    let warnings = warnings.iter().map(|warning| {
        // The compiler has no other way for a macro to warn.
        quote_spanned!(document.span()=> const _: () = {
            #[deprecated(note = #warning)]
            const DESCRIPTION: () = ();
            DESCRIPTION
        };)
    });
    Ok(quote! {
        #items
        #(const _: &[u8] = include_bytes!(#files);)*
        #(#warnings)*
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_of(document: &str) -> String {
        expand(Side::Client, &LitStr::new(document, proc_macro2::Span::call_site())).to_string()
    }

    #[test]
    fn an_error_shows_the_place_in_the_description() {
        let code = client_of("tests/wrong.yaml");
        assert!(code.contains("compile_error") && code.contains("wrong.yaml:7:61"), "{code}");
    }

    #[test]
    fn a_missing_dependency_is_named() {
        let code = client_of("tests/right.yaml");
        assert!(code.contains("compile_error") && code.contains("reqwest = { version = "), "{code}");
    }
}
