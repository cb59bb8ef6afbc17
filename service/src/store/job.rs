//! The logs of batch actions.

use generated_server::models::JobLog;

use super::{operation::*, resource::JOB_LOG};

impl TenantStore {
    /// The log of a batch action; `None` if there is no such action, or if accounts are hidden from the
    /// caller.
    pub async fn job_logs(&self, job: i64, query: ListQuery) -> Result<Option<Listed<JobLog>>, Error> {
        // Ids of jobs start at 1.
        let job = if self.scope.visible.is_limited() { 0 } else { job };
        self.list_below(("jobs", "job_id"), job, &JOB_LOG, query).await
    }
}
