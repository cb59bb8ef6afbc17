//! `PUT /files/{name}`

use crate::runtime::client::{
    Answer, Body, Call, Client, Content, Declared, Operation, Pagination, Request, Security, Undocumented,
};
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "putFile",
    method: "PUT",
    path: "/files/{name}",
    security: Security::optional(&[&[&security::API_KEY], &[&security::BASIC_AUTH, &security::TENANT]]),
    success: &[Declared::codes(&[204], Content::NONE)],
    failure: &[],
    pagination: Pagination::None,
};

/// What `putFile` takes.
#[derive(Debug)]
pub struct PutFile {
    pub name: String,
    pub body: Body,
}

impl PutFile {
    pub(super) fn call(self, client: &Client) -> Call<(), Undocumented> {
        Request::new(client, &OPERATION)
            .path("name", &self.name)
            .body("application/octet-stream", self.body)
            .call(Answer::empty, Answer::undocumented)
    }
}
