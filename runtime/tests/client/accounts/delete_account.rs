//! `DELETE /accounts/{id}`

use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, Operation, Pagination, Request, Security, Undocumented,
};
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "deleteAccount",
    method: "DELETE",
    path: "/accounts/{id}",
    security: Security::required(&[&[&security::BEARER_AUTH]]),
    success: &[Declared::codes(&[204], Content::NONE)],
    failure: &[],
    pagination: Pagination::None,
};

/// What `deleteAccount` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct DeleteAccount {
    pub id: String,
}

impl DeleteAccount {
    pub(super) fn call(self, client: &Client) -> Call<(), Undocumented> {
        Request::new(client, &OPERATION).path("id", &self.id).call(Answer::empty, Answer::undocumented)
    }
}
