//! Cargo features: the attributes of what is compiled only with some of them.

use super::profile::Side;
use super::runtime;
use crate::ir::{Api, Tag};
use printing::{Kind, Token, Tokens, quote};

/// The module and the cargo feature of webhooks and callbacks.
pub(crate) const WEBHOOKS: &str = "webhooks";

/// The cargo feature of serde's traits.
pub(crate) const SERDE: &str = "serde";

/// The cargo feature of tracing's spans.
pub(crate) const TRACING: &str = "tracing";

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
pub(super) fn outer<S: AsRef<str>>(features: &[S]) -> Option<Tokens> {
    condition(features).map(|condition| quote!(#[cfg(#condition)]))
}

/// The attribute in front of each of the items.
pub(super) fn each(feature: &str, items: &Tokens) -> Tokens {
    let attribute = outer(&[feature]);
    let mut gated = Tokens::new();
    let tokens = items.list();
    let mut is_start = true;
    let mut is_constant = false;
    let mut index = 0;
    while tokens[index].kind != Kind::End {
        let token = tokens[index];
        let mut end = if token.kind == Kind::Open { token.mate + 1 } else { index + 1 };
        if is_start && is_doc(&tokens[index..]) {
            end = tokens[index + 1].mate + 1;
        } else {
            if is_start {
                gated.extend(attribute.clone());
                is_constant = matches!(token.text, "const" | "static");
            }
            is_start = match token.kind {
                // The braces of a value end no item.
                Kind::Open => token.text == "{" && !is_constant,
                _ => token.kind == Kind::Punctuation && token.text == ";",
            };
        }
        gated.push(&items.as_str()[token.start..tokens[end].start]);
        index = end;
    }
    gated
}

/// They begin with documentation.
fn is_doc(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [Token { text: "#", .. }, Token { text: "[", .. }, Token { text: "doc", .. }, ..])
}

/// `#![cfg(feature = "accounts")]` at the top of a file.
pub(super) fn inner<S: AsRef<str>>(features: &[S]) -> Option<Tokens> {
    condition(features).map(|condition| quote!(#![cfg(#condition)]))
}

/// In front of what belongs to a tag.
pub(super) fn of_tag(tag: &Tag) -> Option<Tokens> {
    outer(tag.feature.as_slice())
}

/// In front of what needs every tag.
pub(super) fn of_all(tags: &[Tag]) -> Option<Tokens> {
    tags.iter().any(|tag| tag.feature.is_some()).then(|| quote!(#[cfg(feature = "default")]))
}

fn condition<S: AsRef<str>>(features: &[S]) -> Option<Tokens> {
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
