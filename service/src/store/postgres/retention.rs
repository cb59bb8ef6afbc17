//! Removes what is older than it is kept for.

use super::{change::Change, session::parameters};
use crate::{domain::retention::Kept, store::Error};

/// Removes up to `limit` of the oldest rows from before `before`, in microseconds; answers how many.
pub(super) async fn remove(change: Change, kept: Kept, before: i64, limit: u32) -> Result<usize, Error> {
    let remove = async |sql: &'static str| -> Result<usize, Error> {
        Ok(change.rows(sql, parameters![change.tenant(), before, limit]).await?.len())
    };
    match kept {
        Kept::ScanRuns => {
            remove(
                "WITH old AS MATERIALIZED (
                     SELECT tenant_id, agent_id, schedule, occurrence FROM scan_runs
                     WHERE tenant_id = $1 AND recorded_on < $2 ORDER BY recorded_on LIMIT $3)
                 DELETE FROM scan_runs WHERE tenant_id = $1
                 AND (tenant_id, agent_id, schedule, occurrence) IN (SELECT * FROM old) RETURNING 1",
            )
            .await
        }
        Kept::Jobs => {
            // A job that never ended, because the process did, counts from its start.
            let lines = remove(
                "WITH old AS MATERIALIZED (
                     SELECT l.tenant_id, l.job_id, l.id FROM jobs AS j
                     JOIN job_logs AS l ON l.tenant_id = j.tenant_id AND l.job_id = j.id
                     WHERE j.tenant_id = $1 AND coalesce(j.finished_on, j.started_on) < $2 LIMIT $3)
                 DELETE FROM job_logs WHERE tenant_id = $1 AND (tenant_id, job_id, id) IN (SELECT * FROM old) RETURNING 1",
            )
            .await?;
            if lines > 0 {
                return Ok(lines);
            }
            remove(
                "DELETE FROM jobs WHERE tenant_id = $1 AND id = ANY (ARRAY(
                     SELECT id FROM jobs
                     WHERE tenant_id = $1 AND coalesce(finished_on, started_on) < $2 LIMIT $3)) RETURNING 1",
            )
            .await
        }
    }
}
