//! `GET /accounts`

use crate::runtime::rule::{Bound, Rule};
use crate::runtime::server;
use crate::security;

/// What the description says of this operation.
pub static OPERATION: server::Operation = server::Operation {
    id: "listAccounts",
    method: "GET",
    path: "/accounts",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[
        server::Requirement { schemes: &[&security::TOKEN], scopes: &["accounts:read"] },
        server::Requirement { schemes: &[&security::API_KEY, &security::USER], scopes: &[] },
    ],
    body: None,
    produces: &["application/json", "text/json", "text/plain"],
    failure: None,
};

/// What `listAccounts` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListAccounts {
    /// At most this many.
    pub page_size: Option<i32>,
    /// Only these.
    pub ids: Option<Vec<i32>>,
    /// Only what has changed since.
    pub x_since: Option<String>,
}

impl ListAccounts {
    fn read(request: &mut server::RequestReader<'_>) -> Self {
        Self {
            page_size: request
                .query("PageSize")
                .optional_checked(&[Rule::Minimum(Bound::Integer(1)), Rule::Maximum(Bound::Integer(1000))]),
            ids: request.query("Ids").optional(),
            x_since: request.header("X-Since").optional_checked(&[Rule::MinLength(4)]),
        }
    }
}

/// Reads the request, calls the service and writes its answer.
pub(super) async fn handle<S, A>(
    state: server::State<S, A>,
    incoming: server::Incoming,
) -> Result<server::Answer, server::Failure>
where
    S: super::Accounts,
    A: security::Authenticator<Principal = S::Principal>,
{
    let call = security::authenticate(&state.authenticator, incoming.call()).await?;
    let (request, reply) = incoming.read(|request| Some(ListAccounts::read(request))).await?;
    let answer = state.service.list_accounts(call, request).await?;
    Ok(reply.json(http::StatusCode::OK, &answer))
}
