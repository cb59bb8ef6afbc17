//! `GET /accounts/count`

use crate::runtime::client::{
    Answer, Call, Client, Content, Declared, Download, FromAnswer, Operation, Pagination, Request, Security,
    Undocumented, Unreadable,
};

/// What the description says of this operation.
static OPERATION: Operation = Operation {
    id: "countAccounts",
    method: "GET",
    path: "/accounts/count",
    security: Security::NONE,
    success: &[Declared::codes(
        &[200],
        &[
            Content::whole(&["application/json"]),
            Content::whole(&["text/plain"]),
            Content::streamed(&["application/octet-stream"]),
        ],
    )],
    failure: &[],
    pagination: Pagination::None,
};

/// What `countAccounts` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountAccounts;

/// The body of `200`, in one of its forms.
#[derive(Debug)]
pub enum CountAccountsOkBody {
    /// `application/json`
    Json(i64),
    /// `text/plain`
    Text(String),
    /// `application/octet-stream`
    Bytes(Download),
}

impl CountAccounts {
    pub(super) fn call(client: &Client) -> Call<CountAccountsOkBody, Undocumented> {
        Request::new(client, &OPERATION).call(CountAccountsOkBody::from_answer, Answer::undocumented)
    }
}

impl FromAnswer for CountAccountsOkBody {
    fn from_answer(answer: &mut Answer) -> Result<Self, Unreadable> {
        Ok(match answer.content()? {
            0 => Self::Json(answer.json()?),
            1 => Self::Text(answer.text()?),
            _ => Self::Bytes(answer.download()?),
        })
    }
}
