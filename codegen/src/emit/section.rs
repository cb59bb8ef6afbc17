//! The two sections with operations: `paths`, and webhooks with callbacks. They swap sides: the server
//! receives one and the client the other.

use super::{Places, Side};
use crate::ir::{Alternative, Api, Operation, SecurityScheme, Tag};
use proc_macro2::TokenStream;
use quote::quote;

/// Operations, and the location of their code.
#[derive(Clone, Copy)]
pub(crate) struct Section<'api> {
    pub(crate) api: &'api Api,
    pub(crate) tags: &'api [Tag],
    /// Whether the server sends them.
    pub(crate) is_webhooks: bool,
}

impl<'api> Section<'api> {
    /// The operations that the server receives.
    pub(crate) fn paths(api: &'api Api) -> Self {
        Self { api, tags: &api.tags, is_webhooks: false }
    }

    /// The operations that the server sends, if any.
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

    /// The operations in the order of the tags.
    pub(crate) fn operations(self) -> impl Iterator<Item = &'api Operation> {
        self.tags.iter().flat_map(|tag| &tag.operations)
    }

    /// The credentials that some operation accepts.
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

    /// The side and section for names in its files.
    pub(crate) fn places(self, side: Side) -> Places {
        Places { side, section: if self.is_webhooks { "crate::webhooks" } else { "crate" } }
    }
}

/// A description of a tag's operations.
pub fn about(tag: &Tag) -> String {
    if tag.untagged {
        "The operations without a tag.".to_owned()
    } else {
        format!("The operations tagged `{}`.", tag.name.wire)
    }
}
