//! The constants of security schemes, on both sides.

use super::{Side, doc, ty};
use crate::ir::{CredentialKind, SecurityScheme};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The name of the constant of a scheme: `BEARER_AUTH`.
pub(super) fn name(scheme: &SecurityScheme) -> Ident {
    ty::ident(&scheme.name.rust.to_uppercase())
}

/// The constant of a scheme.
pub(super) fn constant(side: Side, scheme: &SecurityScheme) -> TokenStream {
    let (sent, kind) = match &scheme.kind {
        CredentialKind::Basic => ("A user and a password in `Authorization`.".to_owned(), quote!(Basic)),
        CredentialKind::Bearer => ("A token in `Authorization`.".to_owned(), quote!(Bearer)),
        CredentialKind::ApiKeyHeader(header) => {
            (format!("A key in the header `{header}`."), quote!(ApiKeyHeader(#header)))
        }
        CredentialKind::ApiKeyQuery(parameter) => {
            (format!("A key in the query parameter `{parameter}`."), quote!(ApiKeyQuery(#parameter)))
        }
        CredentialKind::ApiKeyCookie(cookie) => {
            (format!("A key in the cookie `{cookie}`."), quote!(ApiKeyCookie(#cookie)))
        }
        CredentialKind::Other if side == Side::Server => {
            ("Something that the authenticator has to look for.".to_owned(), quote!(Other))
        }
        CredentialKind::Other => ("Nothing that is sent by itself.".to_owned(), quote!(Other)),
    };
    let text = doc::doc(&doc::paragraphs([Some(sent.as_str()), scheme.doc.as_deref()]));
    let (constant, wire) = (name(scheme), &scheme.name.wire);
    let module = ty::ident(side.name());
    quote! {
        #text
        pub const #constant: #module::Scheme = #module::Scheme { name: #wire, kind: #module::SchemeKind::#kind };
    }
}
