//! `GET /files/{name}`

use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, Download, FromAnswer, Operation, Pagination, Request, Security, Unreadable,
};
use crate::security;

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "getFile",
    method: "GET",
    path: "/files/{name}",
    security: Security::required(&[&[&security::API_KEY], &[&security::BASIC_AUTH, &security::TENANT]]),
    success: &[Declared::codes(&[200], &[Content::streamed(&["*/*"])])],
    failure: &[Declared::codes(&[404], &[Content::whole(&["text/plain"])])],
    pagination: Pagination::None,
};

/// What `getFile` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct GetFile {
    pub name: String,
}

/// How `getFile` fails.
#[derive(Clone, Debug, PartialEq)]
pub enum GetFileError {
    /// `404`: none
    NotFound(String),
}

impl GetFile {
    pub(super) fn call(self, client: &Client) -> Call<Download, GetFileError> {
        Request::new(client, &OPERATION).path("name", &self.name).call(Answer::download, GetFileError::from_answer)
    }
}

impl FromAnswer for GetFileError {
    fn from_answer(answer: &mut Answer) -> Result<Self, Unreadable> {
        Ok(Self::NotFound(answer.text()?))
    }
}
