//! `GET /accounts/link`

use crate::models;
use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, FromAnswer, Operation, Page, Pagination, Request, Security, Undocumented,
    Unreadable,
};
use crate::runtime::parameter::Style;
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "linkAccounts",
    method: "GET",
    path: "/accounts/link",
    security: Security::required(&[&[&security::BEARER_AUTH]]),
    success: &[Declared::codes(&[200], Content::JSON)],
    failure: &[],
    pagination: Pagination::Link,
};

/// What `linkAccounts` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkAccounts;

/// What `linkAccounts` answers.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkAccountsResponse {
    /// `link`
    pub link: Option<String>,
    /// The body.
    pub body: models::AccountPage,
}

impl LinkAccounts {
    pub(super) fn call(client: &Client) -> Call<LinkAccountsResponse, Undocumented> {
        Request::new(client, &OPERATION).call(LinkAccountsResponse::from_answer, Answer::undocumented)
    }
}

impl FromAnswer for LinkAccountsResponse {
    fn from_answer(answer: &mut Answer) -> Result<Self, Unreadable> {
        Ok(Self { link: answer.optional_header("link", Style::SIMPLE), body: answer.json()? })
    }
}

impl Page for LinkAccountsResponse {
    type Item = models::Account;

    fn count(&self) -> usize {
        self.body.items.len()
    }

    fn into_items(self) -> Vec<Self::Item> {
        self.body.items
    }
}
