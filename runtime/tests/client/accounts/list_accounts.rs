//! `GET /accounts`

use crate::models;
use crate::runtime::client::{Answer, Call, Client, Content, Declared, Operation, Pagination, Request, Security};
use crate::runtime::parameter::Style;
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "listAccounts",
    method: "GET",
    path: "/accounts",
    security: Security::required(&[&[&security::BEARER_AUTH]]),
    success: &[Declared::codes(&[200], Content::JSON)],
    failure: &[Declared::default(Content::JSON)],
    pagination: Pagination::PageNumber { page: "page", first: 1, size: "size", default_size: 3 },
};

/// What `listAccounts` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListAccounts {
    pub name: Option<String>,
    pub tags: Option<Vec<String>>,
    pub page: Option<i32>,
    pub size: Option<i32>,
    pub x_trace: Option<String>,
    pub theme: Option<String>,
}

impl ListAccounts {
    pub(super) fn call(self, client: &Client) -> Call<models::AccountPage, models::Problem> {
        Request::new(client, &OPERATION)
            .query("name", &self.name)
            .styled_query("tags", Style::FORM.explode(false), &self.tags)
            .query("page", &self.page)
            .query("size", &self.size)
            .header("X-Trace", &self.x_trace)
            .cookie("theme", &self.theme)
            .call(Answer::json, Answer::json)
    }
}
