//! `POST /files/{name}`

use crate::models;
use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, Multipart, Operation, Pagination, Part, Request, Security, Undocumented,
};

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "attach",
    method: "POST",
    path: "/files/{name}",
    security: Security::NONE,
    success: &[Declared::codes(&[200], &[Content::whole(&["text/plain"])])],
    failure: &[],
    pagination: Pagination::None,
};

/// What `attach` takes.
#[derive(Debug)]
pub struct Attach {
    pub name: String,
    pub body: AttachBody,
}

/// The parts of the body of [`Attach`].
#[derive(Debug)]
pub struct AttachBody {
    /// `file`
    pub file: Part,
    /// `note`
    pub note: Option<String>,
    /// `owner`
    pub owner: Option<models::Account>,
    /// `more`
    pub more: Vec<Part>,
}

impl AttachBody {
    fn into_multipart(self) -> Multipart {
        Multipart::new()
            .file("file", "application/octet-stream", self.file)
            .texts("note", &self.note)
            .jsons("owner", "application/json", &self.owner)
            .files("more", "application/octet-stream", self.more)
    }
}

impl Attach {
    pub(super) fn call(self, client: &Client) -> Call<String, Undocumented> {
        Request::new(client, &OPERATION)
            .path("name", &self.name)
            .multipart("multipart/form-data", self.body.into_multipart())
            .call(Answer::text, Answer::undocumented)
    }
}
