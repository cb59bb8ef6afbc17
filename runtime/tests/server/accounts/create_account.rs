//! `POST /accounts`

use crate::models;
use crate::runtime::rule::{Bound, Rule};
use crate::runtime::server;
use crate::security;

/// What the description says of this operation.
pub static OPERATION: server::Operation = server::Operation {
    id: "createAccount",
    method: "POST",
    path: "/accounts",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[server::Requirement { schemes: &[&security::TOKEN], scopes: &["accounts:write"] }],
    body: Some(server::RequestBody {
        required: true,
        contents: &[server::Content {
            media_types: &["application/json", "application/*+json"],
            streamed: false,
            empty: false,
        }],
    }),
    produces: &["application/json"],
    failure: None,
};

/// What `createAccount` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateAccount {
    /// How many at most.
    pub retries: Option<i32>,
    /// The account.
    pub body: models::Account,
}

/// What `createAccount` answers.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateAccountResponse {
    /// `201`
    Created {
        /// Where it is.
        location: String,
        /// The body.
        body: models::Account,
    },
    /// `202`
    Accepted,
}

/// How `createAccount` fails.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateAccountError {
    /// `409`
    Conflict(models::Account),
    /// any other status
    Default {
        /// The status, which the description leaves open.
        status: http::StatusCode,
    },
}

impl CreateAccount {
    fn read(request: &mut server::RequestReader<'_>) -> Option<Self> {
        let body = request.body().json();
        Some(Self {
            retries: request.query("Retries").optional_checked(&[Rule::Maximum(Bound::Integer(3))]),
            body: body?,
        })
    }
}

impl From<CreateAccountError> for server::Failure {
    fn from(failure: CreateAccountError) -> Self {
        let answer = match failure {
            CreateAccountError::Conflict(body) => {
                server::Reply::of("application/json").json(http::StatusCode::CONFLICT, &body)
            }
            CreateAccountError::Default { status } => server::Answer::empty(status),
        };
        Self::answer(answer)
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
    let (request, reply) = incoming.read(CreateAccount::read).await?;
    let answer = state.service.create_account(call, request).await?;
    let answer = match answer {
        CreateAccountResponse::Created { location, body } => {
            reply.within(&["application/json"]).json(http::StatusCode::CREATED, &body).header("location", &location)
        }
        CreateAccountResponse::Accepted => server::Answer::empty(http::StatusCode::ACCEPTED),
    };
    Ok(answer)
}
