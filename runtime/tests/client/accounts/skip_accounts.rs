//! `GET /accounts/offset`

use crate::models;
use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, Operation, Pagination, Request, Security, Undocumented,
};
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "skipAccounts",
    method: "GET",
    path: "/accounts/offset",
    security: Security::required(&[&[&security::BEARER_AUTH]]),
    success: &[Declared::codes(&[200], Content::JSON)],
    failure: &[],
    pagination: Pagination::Offset { offset: "skip", limit: "top", default_limit: 2 },
};

/// What `skipAccounts` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkipAccounts {
    pub skip: Option<i64>,
    /// Default: `2`.
    pub top: Option<i64>,
}

impl SkipAccounts {
    pub(super) fn call(self, client: &Client) -> Call<Vec<models::Account>, Undocumented> {
        Request::new(client, &OPERATION)
            .query("skip", &self.skip)
            .query("top", &self.top)
            .call(Answer::json, Answer::undocumented)
    }
}
