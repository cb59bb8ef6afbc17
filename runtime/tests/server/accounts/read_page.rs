//! `GET /pages/{page}`

use crate::runtime::server;
use crate::security;

/// What the description says of this operation.
pub static OPERATION: server::Operation = server::Operation {
    id: "readPage",
    method: "GET",
    path: "/pages/{page}",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[server::Requirement { schemes: &[&security::TOKEN], scopes: &[] }],
    body: None,
    produces: &["text/plain"],
    failure: None,
};

/// What `readPage` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadPage {
    /// Which one.
    pub page: String,
}

impl ReadPage {
    fn read(request: &mut server::RequestReader<'_>) -> Option<Self> {
        let page = request.path("page").required();
        Some(Self { page: page? })
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
    let call = security::authenticate_optional(&state.authenticator, incoming.call()).await?;
    let (request, reply) = incoming.read(ReadPage::read).await?;
    let answer = state.service.read_page(call, request).await?;
    Ok(reply.text(http::StatusCode::OK, answer))
}
