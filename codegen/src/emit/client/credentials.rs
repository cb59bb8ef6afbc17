//! Security schemes: their constants, what operations ask for, and the methods of the builder.

use crate::emit::section::Section;
use crate::emit::{Side, doc, scheme, ty};
use crate::ir::{Api, CredentialKind, Operation, SecurityScheme};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// `security.rs`
pub(super) fn security(section: Section<'_>) -> TokenStream {
    let about = doc::own_inner("Security schemes and credentials.");
    let schemes = section.security_schemes().into_iter().map(|one| scheme::constant(Side::Client, one));
    let builder = builder(section);
    quote! {
        #about

        #(#schemes)*

        #builder
    }
}

/// What an operation asks for: `Security::required(&[&[&security::BEARER_AUTH]])`.
pub(super) fn required(api: &Api, operation: &Operation) -> TokenStream {
    let security = &operation.security;
    if security.alternatives.is_empty() {
        return quote!(client::Security::NONE);
    }
    let alternatives = security.sets().into_iter().map(|index| {
        let schemes = api.credentials[index].schemes.iter().map(|index| scheme::name(&api.security_schemes[*index]));
        quote!(&[#(&security::#schemes),*])
    });
    let alternatives = quote!(&[#(#alternatives),*]);
    if security.optional {
        quote!(client::Security::optional(#alternatives))
    } else {
        quote!(client::Security::required(#alternatives))
    }
}

/// The methods of the builder, one per scheme.
fn builder(section: Section<'_>) -> Option<TokenStream> {
    let schemes = section.security_schemes();
    if schemes.iter().all(|scheme| scheme.kind == CredentialKind::Other) {
        return None;
    }
    let methods = schemes.iter().filter_map(|scheme| credential(scheme, &method(scheme)));
    Some(quote! {
        impl ClientBuilder {
            #(#methods)*
        }
    })
}

/// The method that takes the credential of a scheme, if generated code can send it.
fn credential(scheme: &SecurityScheme, method: &Ident) -> Option<TokenStream> {
    let constant = scheme::name(scheme);
    let name = &scheme.name.wire;
    let (what, parameters, value) = match &scheme.kind {
        CredentialKind::Basic => (
            "user and password",
            quote!(user: impl Into<String>, password: impl Into<String>),
            quote!(client::Credential::basic(user, password)),
        ),
        CredentialKind::Bearer => {
            ("token", quote!(token: impl Into<String>), quote!(client::Credential::bearer(token)))
        }
        CredentialKind::ApiKeyHeader(_) | CredentialKind::ApiKeyQuery(_) | CredentialKind::ApiKeyCookie(_) => {
            ("key", quote!(key: impl Into<String>), quote!(client::Credential::api_key(key)))
        }
        CredentialKind::Other => return None,
    };
    let first = format!("Sets the {what} of `{name}`.");
    let text = doc::doc(&doc::paragraphs([Some(first.as_str()), scheme.doc.as_deref()]));
    Some(quote! {
        #text
        pub fn #method(self, #parameters) -> Self {
            self.credential(&#constant, #value)
        }
    })
}

/// The method of the builder that takes the credential of a scheme.
pub fn method(scheme: &SecurityScheme) -> Ident {
    ty::ident(&scheme.builder_method)
}
