//! `POST /notes`

use crate::models;
use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, Operation, Pagination, Request, Security, Undocumented,
};

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "writeNote",
    method: "POST",
    path: "/notes",
    security: Security::NONE,
    success: &[Declared::codes(&[200], &[Content::whole(&["text/plain"])])],
    failure: &[],
    pagination: Pagination::None,
};

/// What `writeNote` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteNote {
    pub body: Option<WriteNoteBody>,
}

/// The body of [`WriteNote`], in one of its forms.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteNoteBody {
    /// `text/plain`
    Text(String),
    /// `application/x-www-form-urlencoded`
    Form(models::Note),
}

impl WriteNote {
    pub(super) fn call(self, client: &Client) -> Call<String, Undocumented> {
        let request = Request::new(client, &OPERATION);
        let request = match self.body {
            Some(WriteNoteBody::Text(body)) => request.text("text/plain", &body),
            Some(WriteNoteBody::Form(body)) => request.form("application/x-www-form-urlencoded", &body),
            None => request,
        };
        request.call(Answer::text, Answer::undocumented)
    }
}
