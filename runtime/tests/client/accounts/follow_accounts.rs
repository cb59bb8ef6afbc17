//! `GET /accounts/cursor`

use crate::models;
use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, Operation, Pagination, Request, Security, Undocumented,
};
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "followAccounts",
    method: "GET",
    path: "/accounts/cursor",
    security: Security::required(&[&[&security::BEARER_AUTH]]),
    success: &[Declared::codes(&[200], Content::JSON)],
    failure: &[],
    pagination: Pagination::Cursor { parameter: "after" },
};

/// What `followAccounts` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FollowAccounts {
    pub after: Option<String>,
}

impl FollowAccounts {
    pub(super) fn call(self, client: &Client) -> Call<models::Follow, Undocumented> {
        Request::new(client, &OPERATION).query("after", &self.after).call(Answer::json, Answer::undocumented)
    }
}
