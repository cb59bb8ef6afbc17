//! `GET /reports/{name}.{extension}`

use crate::runtime::server;

/// What the description says of this operation.
pub static OPERATION: server::Operation = server::Operation {
    id: "downloadReport",
    method: "GET",
    path: "/reports/{name}.{extension}",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[],
    body: None,
    produces: &["*/*"],
    failure: None,
};

/// What `downloadReport` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct DownloadReport {
    /// Which one.
    pub name: String,
    /// In which format.
    pub extension: String,
}

impl DownloadReport {
    fn read(request: &mut server::RequestReader<'_>) -> Option<Self> {
        let name = request.path("name").required();
        let extension = request.path("extension").required();
        Some(Self { name: name?, extension: extension? })
    }
}

/// Reads the request, calls the service and writes its answer.
pub(super) async fn handle<S, A>(
    state: server::State<S, A>,
    incoming: server::Incoming,
) -> Result<server::Answer, server::Failure>
where
    S: super::Accounts,
    A: Send + Sync + 'static,
{
    let call = incoming.call();
    let (request, reply) = incoming.read(DownloadReport::read).await?;
    let answer = state.service.download_report(call, request).await?;
    Ok(reply.download(http::StatusCode::OK, answer))
}
