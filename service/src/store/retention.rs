//! Removal of old records.

use jiff::Timestamp;

use super::operation::*;
use crate::domain::retention::Retained;

const RUNS: &str = "WITH old AS MATERIALIZED (SELECT agent_id, schedule, occurrence FROM scan_runs
        WHERE tenant_id = $1 AND recorded_on < $2 ORDER BY recorded_on LIMIT $3)
    DELETE FROM scan_runs WHERE tenant_id = $1
    AND (agent_id, schedule, occurrence) IN (SELECT agent_id, schedule, occurrence FROM old) RETURNING 1";

// A job that never ended, because the process did, counts from its start.
const LINES: &str = "WITH old AS MATERIALIZED (SELECT l.job_id, l.id FROM jobs AS j
        JOIN job_logs AS l ON l.tenant_id = j.tenant_id AND l.job_id = j.id
        WHERE j.tenant_id = $1 AND coalesce(j.finished_on, j.started_on) < $2 LIMIT $3)
    DELETE FROM job_logs WHERE tenant_id = $1 AND (job_id, id) IN (SELECT job_id, id FROM old) RETURNING 1";

const JOBS: &str = "WITH old AS MATERIALIZED (SELECT id FROM jobs
        WHERE tenant_id = $1 AND coalesce(finished_on, started_on) < $2 LIMIT $3)
    DELETE FROM jobs WHERE tenant_id = $1 AND id IN (SELECT id FROM old) RETURNING 1";

const KEYS: &str = "WITH old AS MATERIALIZED (SELECT token_id, operation, key FROM idempotency_keys
        WHERE tenant_id = $1 AND created_on < $2 LIMIT $3)
    DELETE FROM idempotency_keys
    WHERE tenant_id = $1 AND (token_id, operation, key) IN (SELECT token_id, operation, key FROM old) RETURNING 1";

// The last change stays, so that its number is not used again.
const CHANGES: &str = "DELETE FROM audit_log WHERE tenant_id = $1 AND recorded_on < $2
    AND sequence < (SELECT max(sequence) FROM audit_log WHERE tenant_id = $1)
    AND sequence <= (SELECT max(sequence) FROM (SELECT sequence FROM audit_log
        WHERE tenant_id = $1 AND sequence IS NOT NULL ORDER BY sequence LIMIT $3) AS oldest) RETURNING 1";

impl TenantStore {
    /// Removes up to `limit` rows from before that time; returns their number. Small batches take turns with
    /// other writes.
    pub async fn remove_older(&self, retained: Retained, before: Timestamp, limit: u32) -> Result<usize, Error> {
        if retained == Retained::Changes {
            self.number_changes().await?;
        }
        self.change((retained, before, limit), |change, (retained, before, limit)| async move {
            let statements: &[&str] = match retained {
                Retained::IdempotencyKeys => &[KEYS],
                Retained::Changes => &[CHANGES],
                Retained::ScanRuns => &[RUNS],
                // The lines of a job are removed first.
                Retained::Jobs => &[LINES, JOBS],
            };
            for sql in statements {
                let removed = change.rows(Statement::new(*sql, values![change.tenant.0, before, limit])).await?.len();
                if removed > 0 {
                    return Ok(removed);
                }
            }
            Ok(0)
        })
        .await
    }
}
