//! Description text → `///` lines.

mod html;
mod markdown;

use proc_macro2::TokenStream;
use quote::quote;

/// The outer doc comment for a text of the description.
pub(crate) fn doc(text: &str) -> TokenStream {
    own(&markdown::safe(text))
}

/// The inner doc comment, `//!`, for a text of the description.
pub(crate) fn inner(text: &str) -> TokenStream {
    let safe = markdown::safe(text);
    let lines = safe.lines().map(line);
    quote!(#(#![doc = #lines])*)
}

/// The outer doc comment for text of the generator, which may link to items.
pub(crate) fn own(text: &str) -> TokenStream {
    let lines = text.lines().map(line);
    quote!(#(#[doc = #lines])*)
}

/// The inner doc comment for text of the generator.
pub fn own_inner(text: &str) -> TokenStream {
    let lines = text.lines().map(line);
    quote!(#(#![doc = #lines])*)
}

/// Joins the non-empty paragraphs with blank lines.
pub(crate) fn paragraphs<'a>(parts: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let parts: Vec<_> = parts.into_iter().flatten().map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// A line with the space after `///`.
fn line(text: &str) -> String {
    let mut line = String::with_capacity(1 + text.len());
    if !text.is_empty() {
        line.push(' ');
    }
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        line.push_str(text);
    } else {
        line.extend(text.chars().filter(|character| !markdown::is_hidden(*character)));
    }
    line
}
