//! How callers say who they are.

use crate::runtime::server;

/// A token in `Authorization`.
pub static TOKEN: server::Scheme = server::Scheme { name: "token", kind: server::SchemeKind::Bearer };
/// A key in the header `X-Api-Key`.
pub static API_KEY: server::Scheme =
    server::Scheme { name: "apiKey", kind: server::SchemeKind::ApiKeyHeader("X-Api-Key") };
/// A user and a password in `Authorization`.
pub static USER: server::Scheme = server::Scheme { name: "user", kind: server::SchemeKind::Basic };

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

impl Credentials {
    fn of(requirement: &server::Requirement, call: &server::Call<()>) -> Option<Self> {
        match requirement.credentials {
            "Token" => call.bearer().map(Self::Token),
            "ApiKeyAndUser" => {
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

/// The call with its caller, whom the first credentials that are there and right belong to.
pub(crate) async fn authenticate<A: Authenticator>(
    authenticator: &A,
    call: server::Call<()>,
) -> Result<server::Call<A::Principal>, server::Failure> {
    let mut refused = None;
    for requirement in call.operation().security {
        let Some(credentials) = Credentials::of(requirement, &call) else { continue };
        match authenticator.authenticate(credentials, requirement.scopes, call.clone()).await {
            Ok(principal) => return Ok(call.by(principal)),
            Err(failure) if failure.status() == http::StatusCode::UNAUTHORIZED => refused = Some(failure),
            Err(failure) => return Err(failure),
        }
    }
    Err(refused.unwrap_or_else(|| server::Failure::unauthorized("no credentials were sent").into()))
}

/// The same where callers may stay unknown: credentials that are sent have to be right.
pub(crate) async fn authenticate_optional<A: Authenticator>(
    authenticator: &A,
    call: server::Call<()>,
) -> Result<server::Call<Option<A::Principal>>, server::Failure> {
    if call.operation().security.iter().all(|requirement| Credentials::of(requirement, &call).is_none()) {
        return Ok(call.by(None));
    }
    let call = authenticate(authenticator, call).await?;
    Ok(call.map(Some))
}
