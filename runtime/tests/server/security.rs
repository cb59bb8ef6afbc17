//! How callers say who they are.

use crate::runtime::server;

/// A token in `Authorization`.
pub const TOKEN: server::Scheme = server::Scheme { name: "token", kind: server::SchemeKind::Bearer };
/// A key in the header `X-Api-Key`.
pub const API_KEY: server::Scheme =
    server::Scheme { name: "apiKey", kind: server::SchemeKind::ApiKeyHeader("X-Api-Key") };
/// A user and a password in `Authorization`.
pub const USER: server::Scheme = server::Scheme { name: "user", kind: server::SchemeKind::Basic };

/// What a request says of its caller: one of the sets of credentials that operations accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// `token`.
    Token(server::Bearer),
    /// `apiKey` and `user`.
    ApiKeyAndUser {
        /// `apiKey`
        api_key: server::ApiKey,
        /// `user`
        user: server::Basic,
    },
}

impl server::Credentials for Credentials {
    fn find(schemes: &[&server::Scheme], call: &server::Call<()>) -> Option<Self> {
        match *schemes {
            [&TOKEN] => call.bearer().map(Self::Token),
            [&API_KEY, &USER] => {
                Some(Self::ApiKeyAndUser { api_key: call.api_key_header("X-Api-Key")?, user: call.basic()? })
            }
            _ => None,
        }
    }
}

/// Finds out who calls.
pub trait Authenticator: Send + Sync + 'static {
    /// Who calls.
    type Principal: Send + Sync + 'static;

    /// The owner of these credentials, who must be allowed all of `scopes`.
    fn authenticate(
        &self,
        credentials: Credentials,
        scopes: &'static [&'static str],
        call: server::Call<()>,
    ) -> impl Future<Output = Result<Self::Principal, server::Failure>> + Send;
}

/// The call with its caller, to whom the first credentials belong that are sent and right.
pub(crate) async fn authenticate<A: Authenticator>(
    authenticator: &A,
    call: server::Call<()>,
) -> Result<server::Call<A::Principal>, server::Failure> {
    let ask = |credentials, scopes, call| authenticator.authenticate(credentials, scopes, call);
    server::authenticate(call, ask).await
}

/// The same where callers may stay unknown: credentials that are sent have to be right.
pub(crate) async fn authenticate_optional<A: Authenticator>(
    authenticator: &A,
    call: server::Call<()>,
) -> Result<server::Call<Option<A::Principal>>, server::Failure> {
    let ask = |credentials, scopes, call| authenticator.authenticate(credentials, scopes, call);
    server::authenticate_optional(call, ask).await
}
