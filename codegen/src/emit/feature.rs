//! Cargo features: the attributes of what is compiled only with some of them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::profile::Side;
use super::runtime;
use crate::ir::{Api, Tag};

/// The module and the cargo feature of webhooks and callbacks.
pub(crate) const WEBHOOKS: &str = "webhooks";

/// The cargo feature of serde's traits.
pub(crate) const SERDE: &str = "serde";

/// The feature besides those of tags that a file is compiled with, if it is one.
pub(crate) fn of_file(api: &Api, side: Side, path: &str) -> Option<&'static str> {
    let path = path.strip_prefix("src/")?;
    if let Some(path) = path.strip_prefix("runtime/") {
        return runtime::feature(api, side, path);
    }
    let is_webhook = path.strip_prefix(WEBHOOKS).is_some_and(|rest| rest.starts_with(['/', '.']));
    (is_webhook && !api.webhooks.is_empty()).then_some(WEBHOOKS)
}

/// `#[cfg(feature = "accounts")]` in front of an item; nothing for what is always compiled.
pub(super) fn outer<S: AsRef<str>>(features: &[S]) -> Option<TokenStream> {
    condition(features).map(|condition| quote!(#[cfg(#condition)]))
}

/// The attribute in front of each of the items.
pub(super) fn each(feature: &str, items: TokenStream) -> TokenStream {
    let attribute = outer(&[feature]);
    let mut gated = TokenStream::new();
    let mut is_start = true;
    let mut is_constant = false;
    let mut tokens = items.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if is_start {
            if is_doc(tokens.peek()) {
                gated.extend([token].into_iter().chain(tokens.next()));
                continue;
            }
            gated.extend(attribute.clone());
            is_constant = matches!(&token, TokenTree::Ident(ident) if ident == "const" || ident == "static");
        }
        is_start = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            // The braces of a value end no item.
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !is_constant,
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        gated.extend([token]);
    }
    gated
}

/// What follows a `#` is documentation.
fn is_doc(attribute: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = attribute else { return false };
    matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == "doc")
}

/// `#![cfg(feature = "accounts")]` at the top of a file.
pub(super) fn inner<S: AsRef<str>>(features: &[S]) -> Option<TokenStream> {
    condition(features).map(|condition| quote!(#![cfg(#condition)]))
}

/// In front of what belongs to a tag.
pub(super) fn of_tag(tag: &Tag) -> Option<TokenStream> {
    outer(tag.feature.as_slice())
}

/// In front of what needs every tag.
pub(super) fn of_all(tags: &[Tag]) -> Option<TokenStream> {
    tags.iter().any(|tag| tag.feature.is_some()).then(|| quote!(#[cfg(feature = "default")]))
}

fn condition<S: AsRef<str>>(features: &[S]) -> Option<TokenStream> {
    let conditions = features.iter().map(|feature| {
        let feature = feature.as_ref();
        quote!(feature = #feature)
    });
    match features {
        [] => None,
        [_] => Some(quote!(#(#conditions)*)),
        _ => Some(quote!(any(#(#conditions),*))),
    }
}
