//! Cargo features: `cfg` attributes of generated items.

use crate::ir::{Api, Tag};
use proc_macro2::TokenStream;
use quote::quote;

/// The module and the cargo feature of webhooks and callbacks.
pub(crate) const WEBHOOKS: &str = "webhooks";

/// The cargo feature of signatures of received webhooks.
pub(crate) const SIGNATURES: &str = "signatures";

/// The cargo feature of calls without async.
pub(crate) const BLOCKING: &str = "blocking";

/// The cargo feature of serde's traits.
pub(crate) const SERDE: &str = "serde";

/// The cargo feature of arbitrary values.
pub(crate) const ARBITRARY: &str = "arbitrary";

/// The cargo feature with which a server checks its responses.
pub(crate) const CHECK_RESPONSES: &str = "check-responses";

/// The cargo feature of tracing's spans.
pub(crate) const TRACING: &str = "tracing";

/// Whether a file is compiled only with the feature of webhooks.
pub(crate) fn is_webhook(api: &Api, path: &str) -> bool {
    let rest = path.strip_prefix("src/").and_then(|path| path.strip_prefix(WEBHOOKS));
    !api.webhooks.is_empty() && rest.is_some_and(|rest| rest.starts_with(['/', '.']))
}

/// `#[cfg(feature = "accounts")]` for an item; empty if it is always compiled.
pub(super) fn outer<S: AsRef<str>>(features: &[S]) -> Option<TokenStream> {
    condition(features).map(|condition| quote!(#[cfg(#condition)]))
}

/// `#![cfg(feature = "accounts")]` for a file.
pub(super) fn inner<S: AsRef<str>>(features: &[S]) -> Option<TokenStream> {
    condition(features).map(|condition| quote!(#![cfg(#condition)]))
}

/// The attribute for items of a tag.
pub(super) fn of_tag(tag: &Tag) -> Option<TokenStream> {
    outer(tag.feature.as_slice())
}

/// The attribute for items that need every tag.
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
