//! `DELETE /jobs/{jobId}:cancel`

use crate::runtime::server;

/// What the description says of this operation.
pub static OPERATION: server::Operation = server::Operation {
    id: "cancelJob",
    method: "DELETE",
    path: "/jobs/{jobId}:cancel",
    numbers: &[],
    tag: "accounts",
    deprecated: false,
    any_case: true,
    security: &[],
    body: None,
    produces: &[],
    failure: None,
};

/// What `cancelJob` takes.
#[derive(Clone, Debug, PartialEq)]
pub struct CancelJob {
    /// Which one.
    pub job_id: i64,
}

impl CancelJob {
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
    let (request, _) = incoming.read(CancelJob::read).await?;
    state.service.cancel_job(call, request).await?;
    Ok(server::Answer::empty(http::StatusCode::NO_CONTENT))
}
