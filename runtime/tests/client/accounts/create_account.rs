//! `POST /accounts`

use http::StatusCode;

use crate::models;
use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, FromAnswer, Operation, Pagination, Request, Security, Unreadable,
};
use crate::runtime::parameter::Style;
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "createAccount",
    method: "POST",
    path: "/accounts",
    security: Security::required(&[&[&security::BEARER_AUTH]]),
    success: &[Declared::codes(&[201], Content::JSON), Declared::codes(&[202], Content::NONE)],
    failure: &[
        Declared::codes(&[409], Content::JSON),
        Declared::range(4, &[Content::whole(&["text/plain"])]),
        Declared::default(Content::NONE),
    ],
    pagination: Pagination::None,
};

/// What `createAccount` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateAccount {
    pub body: models::Account,
}

/// What `createAccount` answers.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateAccountResponse {
    /// `201`: created
    Created {
        /// `location`
        location: String,
        /// The body.
        body: models::Account,
    },
    /// `202`: later
    Accepted,
}

/// How `createAccount` fails.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateAccountError {
    /// `409`: there is one
    Conflict(models::Problem),
    /// `4XX`: wrong
    ClientError {
        /// The status, which the description leaves open.
        status: StatusCode,
        /// The body.
        body: String,
    },
    /// any other status: failed
    Default {
        /// The status, which the description leaves open.
        status: StatusCode,
    },
}

impl CreateAccount {
    pub(super) fn call(self, client: &Client) -> Call<CreateAccountResponse, CreateAccountError> {
        Request::new(client, &OPERATION)
            .json("application/json", &self.body)
            .call(CreateAccountResponse::from_answer, CreateAccountError::from_answer)
    }
}

impl FromAnswer for CreateAccountResponse {
    fn from_answer(answer: &mut Answer) -> Result<Self, Unreadable> {
        Ok(match answer.status().as_u16() {
            201 => Self::Created { location: answer.required_header("location", Style::SIMPLE)?, body: answer.json()? },
            202 => Self::Accepted,
            _ => return Err(answer.undeclared()),
        })
    }
}

impl FromAnswer for CreateAccountError {
    fn from_answer(answer: &mut Answer) -> Result<Self, Unreadable> {
        Ok(match answer.status().as_u16() {
            409 => Self::Conflict(answer.json()?),
            400..=499 => Self::ClientError { status: answer.status(), body: answer.text()? },
            _ => Self::Default { status: answer.status() },
        })
    }
}
