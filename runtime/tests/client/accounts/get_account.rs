//! `GET /accounts/{id}`

use crate::models;
use crate::runtime::client::{Answer, Call, Client, Content, Declared, Operation, Pagination, Request, Security};
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "getAccount",
    method: "GET",
    path: "/accounts/{id}",
    security: Security::required(&[&[&security::BEARER_AUTH]]),
    success: &[Declared::codes(&[200], Content::JSON)],
    failure: &[Declared::codes(&[404], Content::JSON)],
    pagination: Pagination::None,
};

/// What `getAccount` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct GetAccount {
    pub id: String,
}

impl GetAccount {
    pub(super) fn call(self, client: &Client) -> Call<models::Account, models::Problem> {
        Request::new(client, &OPERATION).path("id", &self.id).call(Answer::json, Answer::json)
    }
}
