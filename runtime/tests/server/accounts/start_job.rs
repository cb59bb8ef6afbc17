//! `POST /jobs/{jobId}:start`

use crate::runtime::server;

/// What the description says of this operation.
pub static OPERATION: server::Operation = server::Operation {
    id: "startJob",
    method: "POST",
    path: "/jobs/{jobId}:start",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[],
    body: None,
    produces: &[],
    failure: None,
};

/// The same job with a method that axum does not know.
pub static QUERY: server::Operation = server::Operation {
    id: "queryJob",
    method: "QUERY",
    path: "/jobs/{jobId}:start",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[],
    body: None,
    produces: &[],
    failure: None,
};

/// What `startJob` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct StartJob {
    /// Which one.
    pub job_id: i64,
}

impl StartJob {
    fn read(request: &mut server::RequestReader<'_>) -> Option<Self> {
        let job_id = request.path("jobId").required();
        Some(Self { job_id: job_id? })
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
    let (request, _) = incoming.read(StartJob::read).await?;
    state.service.start_job(call, request).await?;
    Ok(server::Answer::empty(http::StatusCode::NO_CONTENT))
}
