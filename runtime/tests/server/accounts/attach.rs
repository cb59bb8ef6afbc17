//! `POST /accounts/{accountId}/attachments`

use crate::models;
use crate::runtime::rule::Rule;
use crate::runtime::server;
use crate::security;

/// What the description says of this operation.
pub static OPERATION: server::Operation = server::Operation {
    id: "attach",
    method: "POST",
    path: "/accounts/{accountId}/attachments",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[server::Requirement { schemes: &[&security::TOKEN], scopes: &[] }],
    body: Some(server::RequestBody {
        required: true,
        contents: &[server::Content { media_types: &["multipart/form-data"], streamed: true, empty: false }],
    }),
    produces: &["text/plain"],
    failure: None,
};

/// What `attach` takes.
#[derive(Debug)]
pub struct Attach {
    /// Whose.
    pub account_id: i32,
    /// The file and what there is to say about it.
    pub body: AttachBody,
}

/// The body of [`Attach`], to be read while it is being sent.
#[derive(Debug)]
pub struct AttachBody {
    multipart: server::Multipart,
}

/// A part of [`AttachBody`].
#[derive(Debug)]
pub enum AttachPart {
    /// `formFile`
    FormFile(server::FilePart),
    /// `Tags`
    Tags(String),
    /// `Owner`
    Owner(models::Account),
}

static ATTACH_PARTS: server::Parts = server::Parts {
    parts: &[
        server::Part { name: "formFile", required: true, repeated: false, rules: &[], content_types: &[] },
        server::Part { name: "Tags", required: false, repeated: true, rules: &[Rule::MaxItems(2)], content_types: &[] },
        server::Part { name: "Owner", required: false, repeated: false, rules: &[], content_types: &[] },
    ],
    rules: &[Rule::MinProperties(2)],
    closed: true,
};

impl AttachBody {
    fn new(multipart: server::Multipart) -> Self {
        Self { multipart }
    }

    /// The next part, in the order in which they are sent; `None` after the last.
    ///
    /// A file must be read or dropped before the part after it is asked for.
    pub async fn next(&mut self) -> Result<Option<AttachPart>, server::Failure> {
        let Some(field) = self.multipart.next().await? else { return Ok(None) };
        let part = match field.name() {
            "formFile" => AttachPart::FormFile(field.file()),
            "Tags" => AttachPart::Tags(field.text_checked(&[Rule::MaxLength(4)]).await?),
            "Owner" => AttachPart::Owner(field.json().await?),
            _ => return Err(field.unexpected().into()),
        };
        Ok(Some(part))
    }
}

impl Attach {
    fn read(request: &mut server::RequestReader<'_>) -> Option<Self> {
        let account_id = request.path("accountId").required();
        let body = request.body().multipart(&ATTACH_PARTS).map(AttachBody::new);
        Some(Self { account_id: account_id?, body: body? })
    }
}

/// Reads the request, calls the service and writes its answer.
pub(super) async fn handle<S, A>(
    state: server::State<S, A>,
    incoming: server::Incoming,
) -> Result<server::Answer, server::Failure>
where
    S: super::Accounts,
    A: security::Authenticator<Principal = S::Principal>,
{
    let call = security::authenticate(&state.authenticator, incoming.call()).await?;
    let (request, reply) = incoming.read(Attach::read).await?;
    let answer = state.service.attach(call, request).await?;
    Ok(reply.text(http::StatusCode::OK, answer))
}
