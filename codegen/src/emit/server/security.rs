//! `security.rs` of the server: the schemes, `Credentials`, and the trait that turns credentials into a
//! principal.

use crate::emit::section::Section;
use crate::emit::{Side, doc, scheme, ty};
use crate::ir::{Alternative, Api, CredentialKind};
use proc_macro2::TokenStream;
use quote::quote;

/// The file; only if some operation requires a caller.
pub(super) fn security(section: Section<'_>) -> TokenStream {
    let about = doc::own_inner("Security schemes and credentials.");
    let schemes = section.security_schemes().into_iter().map(|one| scheme::constant(Side::Server, one));
    let credentials = credentials(section);
    let authenticator = authenticator();
    let authenticate = authenticate();
    let optionally = section.operations().any(|operation| operation.security.optional).then(authenticate_optional);

    quote! {
        #about

        #(#schemes)*
        #credentials
        #authenticator
        #authenticate
        #optionally
    }
}

fn credentials(section: Section<'_>) -> TokenStream {
    let accepted = section.credentials();
    let variants = accepted.iter().map(|alternative| variant(section.api, alternative));
    let arms = accepted.iter().map(|alternative| arm(section.api, alternative));
    let schemes = accepted.iter().flat_map(|alternative| &alternative.schemes);
    let looks = schemes.map(|index| &section.api.security_schemes[*index]).any(|scheme| read(&scheme.kind).is_some());
    let call = if looks { quote!(call) } else { quote!(_) };
    quote! {
        /// What a request says of its caller: one of the sets of credentials that operations accept.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Credentials {
            #(#variants)*
        }

        impl server::Credentials for Credentials {
            fn find(schemes: &[&server::Scheme], #call: &server::Call<()>) -> Option<Self> {
                match *schemes {
                    #(#arms)*
                    _ => None,
                }
            }
        }
    }
}

fn variant(api: &Api, alternative: &Alternative) -> TokenStream {
    let name = ty::ident(&alternative.rust);
    let schemes: Vec<_> = alternative.schemes.iter().map(|index| &api.security_schemes[*index]).collect();
    let names: Vec<_> = schemes.iter().map(|scheme| format!("`{}`", scheme.name.wire)).collect();
    let text = doc::own(&format!("{}.", names.join(" and ")));
    let read: Vec<_> = schemes.iter().filter_map(|scheme| Some((scheme, read(&scheme.kind)?))).collect();
    match (schemes.len(), read.as_slice()) {
        (_, []) => quote!(#text #name,),
        (1, [(_, Read { ty, .. })]) => quote!(#text #name(#ty),),
        (_, read) => {
            let fields = read.iter().map(|(scheme, Read { ty, .. })| {
                let text = doc::own(&format!("`{}`", scheme.name.wire));
                let field = ty::ident(&scheme.name.rust);
                quote!(#text #field: #ty)
            });
            quote!(#text #name { #(#fields),* },)
        }
    }
}

fn arm(api: &Api, alternative: &Alternative) -> TokenStream {
    let name = ty::ident(&alternative.rust);
    let schemes: Vec<_> = alternative.schemes.iter().map(|index| &api.security_schemes[*index]).collect();
    let constants = schemes.iter().map(|one| scheme::name(one));
    let pattern = quote!([#(&#constants),*]);
    let read: Vec<_> = schemes.iter().filter_map(|scheme| Some((scheme, read(&scheme.kind)?))).collect();
    match (schemes.len(), read.as_slice()) {
        (_, []) => quote!(#pattern => Some(Self::#name),),
        (1, [(_, Read { found, .. })]) => quote!(#pattern => #found.map(Self::#name),),
        (_, read) => {
            let fields = read.iter().map(|(scheme, Read { found, .. })| {
                let field = ty::ident(&scheme.name.rust);
                quote!(#field: #found?)
            });
            quote!(#pattern => Some(Self::#name { #(#fields),* }),)
        }
    }
}

/// How credentials are read from a request.
struct Read {
    ty: TokenStream,
    found: TokenStream,
}

/// `None` for credentials that the authenticator handles itself.
fn read(kind: &CredentialKind) -> Option<Read> {
    let key = quote!(server::ApiKey);
    let (ty, found) = match kind {
        CredentialKind::Basic => (quote!(server::Basic), quote!(call.basic())),
        CredentialKind::Bearer => (quote!(server::Bearer), quote!(call.bearer())),
        CredentialKind::ApiKeyHeader(name) => (key, quote!(call.api_key_header(#name))),
        CredentialKind::ApiKeyQuery(name) => (key, quote!(call.api_key_query(#name))),
        CredentialKind::ApiKeyCookie(name) => (key, quote!(call.api_key_cookie(#name))),
        CredentialKind::Other => return None,
    };
    Some(Read { ty, found })
}

fn authenticator() -> TokenStream {
    quote! {
        /// Finds out who calls.
        pub trait Authenticator: Send + Sync + 'static {
            /// Who calls.
            type Principal: Send + Sync + 'static;

            /// The owner of these credentials, who must be allowed all of `scopes`.
            ///
            /// Credentials that are wrong are a failure with status 401; a caller who is known, but not allowed to do
            /// this, is one with status 403. After either, the other alternatives of the operation are tried.
            fn authenticate(
                &self,
                credentials: Credentials,
                scopes: &'static [&'static str],
                call: server::Call<()>,
            ) -> impl Future<Output = Result<Self::Principal, server::Failure>> + Send;
        }
    }
}

fn authenticate() -> TokenStream {
    quote! {
        /// The call with its caller, to whom the first credentials belong that are sent and right.
        pub async fn authenticate<A: Authenticator>(
            authenticator: &A,
            call: server::Call<()>,
        ) -> Result<server::Call<A::Principal>, server::Failure> {
            let ask = |credentials, scopes, call| authenticator.authenticate(credentials, scopes, call);
            server::authenticate(call, ask).await
        }
    }
}

fn authenticate_optional() -> TokenStream {
    quote! {
        /// The same where callers may stay unknown: credentials that are sent have to be right.
        pub async fn authenticate_optional<A: Authenticator>(
            authenticator: &A,
            call: server::Call<()>,
        ) -> Result<server::Call<Option<A::Principal>>, server::Failure> {
            let ask = |credentials, scopes, call| authenticator.authenticate(credentials, scopes, call);
            server::authenticate_optional(call, ask).await
        }
    }
}
