//! The two sections of a description that have operations: `paths`, and `webhooks` with the callbacks. What answers the
//! one in a server answers the other in a client.

use super::{Places, Side};
use crate::ir::{Alternative, Api, Operation, SecurityScheme, Tag};
use proc_macro2::TokenStream;
use quote::quote;

/// Operations, and where their code goes.
#[derive(Clone, Copy)]
pub(crate) struct Section<'api> {
    pub(crate) api: &'api Api,
    pub(crate) tags: &'api [Tag],
    /// The server calls them.
    pub(crate) is_webhooks: bool,
}

impl<'api> Section<'api> {
    /// What the server answers.
    pub(crate) fn paths(api: &'api Api) -> Self {
        Self { api, tags: &api.tags, is_webhooks: false }
    }

    /// What the server sends on its own, if there is something.
    pub(crate) fn webhooks(api: &'api Api) -> Option<Self> {
        (!api.webhooks.is_empty()).then_some(Self { api, tags: &api.webhooks, is_webhooks: true })
    }

    /// The folder of its files.
    pub(crate) fn folder(self) -> &'static str {
        if self.is_webhooks { "src/webhooks" } else { "src" }
    }

    /// The module of its tags.
    pub(crate) fn module(self) -> TokenStream {
        if self.is_webhooks { quote!(crate::webhooks) } else { quote!(crate) }
    }

    /// In the order of the tags.
    pub(crate) fn operations(self) -> impl Iterator<Item = &'api Operation> {
        self.tags.iter().flat_map(|tag| &tag.operations)
    }

    /// The sets of credentials that some operation accepts.
    pub(crate) fn credentials(self) -> Vec<&'api Alternative> {
        let accepted = |index: usize| {
            self.operations().any(|operation| operation.security.alternatives.iter().any(|(of, _)| *of == index))
        };
        let credentials = self.api.credentials.iter().enumerate();
        credentials.filter(|(index, _)| accepted(*index)).map(|(_, alternative)| alternative).collect()
    }

    /// The schemes of these credentials.
    pub(crate) fn security_schemes(self) -> Vec<&'api SecurityScheme> {
        let credentials = self.credentials();
        let asked = |index: usize| credentials.iter().any(|alternative| alternative.schemes.contains(&index));
        let schemes = self.api.security_schemes.iter().enumerate();
        schemes.filter(|(index, _)| asked(*index)).map(|(_, scheme)| scheme).collect()
    }

    /// Where the names of its files are from, which are of this side.
    pub(crate) fn places(self, side: Side) -> Places {
        Places { side, section: if self.is_webhooks { "crate::webhooks" } else { "crate" } }
    }
}

/// What the operations of a tag have in common.
pub(crate) fn about(tag: &Tag) -> String {
    if tag.untagged {
        "The operations without a tag.".to_owned()
    } else {
        format!("The operations tagged `{}`.", tag.name.wire)
    }
}
