#![doc = include_str!("../README.md")]

use std::env;
use std::path::{Path, PathBuf};

use proc_macro::TokenStream;
use proc_macro2::{TokenStream as Tokens, fallback};
use quote::{quote, quote_spanned};
use specwright::build::{self, Config, Items};
use specwright::{Generator, Side};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, parse_macro_input};

/// The client of the description at this path, as the items of the enclosing module.
///
/// `config = "specwright.toml"` after it names a file with settings. An error of either is an error at its path, with an
/// excerpt.
#[proc_macro]
pub fn client(input: TokenStream) -> TokenStream {
    expand(Side::Client, &parse_macro_input!(input as Input)).into()
}

/// The server of the description at this path, as the items of the enclosing module.
///
/// `config = "specwright.toml"` after it names a file with settings. An error of either is an error at its path, with an
/// excerpt.
#[proc_macro]
pub fn server(input: TokenStream) -> TokenStream {
    expand(Side::Server, &parse_macro_input!(input as Input)).into()
}

/// The models of the description at this path without its operations, as the items of the enclosing module.
///
/// `config = "specwright.toml"` after it names a file with settings. An error of either is an error at its path, with an
/// excerpt.
#[proc_macro]
pub fn models(input: TokenStream) -> TokenStream {
    expand(Side::Models, &parse_macro_input!(input as Input)).into()
}

/// `"petstore.yaml", config = "specwright.toml"`
struct Input {
    document: LitStr,
    config: Option<LitStr>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let document = input.parse()?;
        let mut config = None;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let name: Ident = input.parse()?;
            if name != "config" {
                return Err(syn::Error::new(name.span(), "expected `config = \"specwright.toml\"`"));
            }
            input.parse::<Token![=]>()?;
            config = Some(input.parse()?);
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Self { document, config })
    }
}

fn expand(side: Side, input: &Input) -> Tokens {
    items(side, input).unwrap_or_else(|error| error.to_compile_error())
}

fn items(side: Side, Input { document, config }: &Input) -> syn::Result<Tokens> {
    let error = |message: String| syn::Error::new(document.span(), message);
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folder = folder.ok_or_else(|| error("cargo has to set `CARGO_MANIFEST_DIR`".to_owned()))?;
    let path = folder.join(document.value());
    let manifest = folder.join("Cargo.toml");
    let generator = match config {
        None => Generator::new(),
        Some(config) => Config::generator_of(Path::new(&folder.join(config.value())), &path)
            .map_err(|failure| syn::Error::new(config.span(), failure.to_string()))?,
    };
    // The generator uses threads, in which the compiler's tokens cannot be made.
    fallback::force();
    let found = build::items(side, &path, &manifest, &generator)
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

    fn client_of(input: &str) -> String {
        match syn::parse_str(input) {
            Ok(input) => expand(Side::Client, &input).to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_error_shows_the_place_in_the_description() {
        let code = client_of(r#""tests/wrong.yaml""#);
        assert!(code.contains("compile_error") && code.contains("wrong.yaml:7:61"), "{code}");
    }

    #[test]
    fn a_missing_dependency_is_named() {
        let code = client_of(r#""tests/right.yaml""#);
        assert!(code.contains("compile_error") && code.contains("reqwest = { version = "), "{code}");
    }

    #[test]
    fn errors_of_settings_name_their_file() {
        for (settings, said) in [
            ("missing", "tests/missing.toml: "),
            ("unknown", "tests/unknown.toml: TOML parse error at line 2"),
            ("unmatched", "unmatched.toml:2"),
            ("offline", "tests/offline.toml: `offline` is a setting of the command only"),
        ] {
            let code = client_of(&format!(r#""tests/right.yaml", config = "tests/{settings}.toml""#));
            assert!(code.contains("compile_error") && code.contains(said), "{code}");
        }
        let code = client_of(r#""tests/right.yaml", settings = "tests/right.toml""#);
        assert!(code.contains("expected `config = "), "{code}");
    }
}
