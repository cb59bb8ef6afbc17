//! `PUT /accounts/{accountId}/picture`

use crate::runtime::server;
use crate::runtime::server::Body;
use crate::security;

/// What the description says of this operation.
pub static OPERATION: server::Operation = server::Operation {
    id: "replacePicture",
    method: "PUT",
    path: "/accounts/{accountId}/picture",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[server::Requirement { schemes: &[&security::TOKEN], scopes: &[] }],
    body: Some(server::RequestBody {
        required: false,
        contents: &[server::Content { media_types: &["*/*"], streamed: true, empty: true }],
    }),
    produces: &[],
    failure: None,
};

/// What `replacePicture` takes.
#[derive(Debug)]
pub struct ReplacePicture {
    /// Whose.
    pub account_id: String,
    /// The picture; none removes it.
    pub body: Option<Body>,
}

impl ReplacePicture {
    fn read(request: &mut server::RequestReader<'_>) -> Option<Self> {
        let account_id = request.path("accountId").required();
        Some(Self { body: request.body().optional(server::BodyReader::stream), account_id: account_id? })
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
    let (request, _) = incoming.read(ReplacePicture::read).await?;
    state.service.replace_picture(call, request).await?;
    Ok(server::Answer::empty(http::StatusCode::NO_CONTENT))
}
