//! The logs of batch actions.

use std::sync::Arc;

use generated_server::models::JobLog;

use super::{
    operation::*,
    resource::job::{JOB_LOG, JOB_LOGS},
};

impl TenantStore {
    /// The log of a batch action; `None` if there is no such action, or if accounts are hidden from the
    /// caller.
    pub async fn job_logs(&self, job: i64, query: ListQuery) -> Result<Option<Listed<JobLog>>, Error> {
        // Ids of jobs start at 1.
        let job = if self.scope.visible.is_limited() { 0 } else { job };
        let asked = Arc::new((self.conditions().of("job_id", job), query));
        self.view(Cost::Long, (job, asked), |view, (job, asked)| async move {
            let exists =
                Statement::new("SELECT 1 FROM jobs WHERE tenant_id = $1 AND id = $2", values![view.tenant.0, job]);
            if view.rows(exists).await?.is_empty() {
                return Ok(None);
            }
            Ok(Some(view.list(&JOB_LOGS, &JOB_LOG, &asked.0, &asked.1).await?.without_ids()))
        })
        .await
    }
}
