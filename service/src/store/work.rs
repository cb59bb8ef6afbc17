//! Tenants with scheduled work. On PostgreSQL, where a role sees the rows of one tenant, functions of the migrations find them.

use jiff::Timestamp;

use super::operation::*;
use crate::domain::retention::Cutoffs;

impl Store {
    /// The tenants with a scan that is due, the longest due first.
    pub async fn tenants_with_due_scans(&self, now: Timestamp) -> Result<Vec<TenantId>, Error> {
        let sqlite = "SELECT id FROM (
            SELECT t.id, (
                SELECT s.next_at FROM scan_schedules AS s
                JOIN agents AS a ON a.tenant_id = s.tenant_id AND a.id = s.agent_id
                WHERE s.tenant_id = t.id AND s.next_at <= $1
                AND s.problem IS NULL AND (NOT s.is_waiting OR a.is_online)
                ORDER BY s.next_at LIMIT 1) AS first
            FROM tenants AS t)
        WHERE first IS NOT NULL ORDER BY first, id";
        self.tenants_with(sqlite, "SELECT tenants_with_due_scans($1)", values![now]).await
    }

    /// The tenants with schedules that could not be run.
    pub async fn tenants_with_scan_problems(&self) -> Result<Vec<TenantId>, Error> {
        let sqlite = "SELECT DISTINCT tenant_id FROM scan_schedules WHERE problem IS NOT NULL";
        self.tenants_with(sqlite, "SELECT tenants_with_scan_problems()", Vec::new()).await
    }

    /// When the next scan of any tenant is due.
    pub async fn next_scan(&self) -> Result<Option<Timestamp>, Error> {
        let sqlite = "SELECT min((
            SELECT s.next_at FROM scan_schedules AS s
            WHERE s.tenant_id = t.id AND s.next_at IS NOT NULL AND NOT s.is_waiting AND s.problem IS NULL
            ORDER BY s.next_at LIMIT 1))
        FROM tenants AS t";
        let rows = self.of_any_tenant(Cost::Short, sqlite, "SELECT next_scan()", Vec::new()).await?;
        first(&rows)
    }

    /// The tenants with records that are to be removed.
    pub async fn tenants_with_old_records(&self, cutoffs: Cutoffs) -> Result<Vec<TenantId>, Error> {
        let sqlite = "SELECT t.id FROM tenants AS t WHERE
            EXISTS (SELECT 1 FROM temporary_uploads AS u WHERE u.tenant_id = t.id AND u.expires_on <= $1)
            OR EXISTS (SELECT 1 FROM unused_blobs AS b WHERE b.tenant_id = t.id)
            OR EXISTS (SELECT 1 FROM idempotency_keys AS k WHERE k.tenant_id = t.id AND k.created_on < $2)
            -- The newest change of a tenant stays.
            OR (SELECT l.recorded_on FROM audit_log AS l
                WHERE l.tenant_id = t.id AND l.sequence < (SELECT max(sequence) FROM audit_log WHERE tenant_id = t.id)
                ORDER BY l.sequence LIMIT 1) < $3
            OR EXISTS (SELECT 1 FROM scan_runs AS r WHERE r.tenant_id = t.id AND r.recorded_on < $4)
            OR EXISTS (SELECT 1 FROM jobs AS j WHERE j.tenant_id = t.id AND coalesce(j.finished_on, j.started_on) < $5)
        ORDER BY t.id";
        let values =
            values![cutoffs.uploads, cutoffs.idempotency_keys, cutoffs.changes, cutoffs.scan_runs, cutoffs.jobs,];
        self.tenants_with(sqlite, "SELECT tenants_with_old_records($1, $2, $3, $4, $5)", values).await
    }

    async fn tenants_with(
        &self,
        sqlite: &'static str,
        postgres: &'static str,
        values: Vec<Value>,
    ) -> Result<Vec<TenantId>, Error> {
        let rows = self.of_any_tenant(Cost::Long, sqlite, postgres, values).await?;
        rows.iter().map(|row| Ok(TenantId(row.get(0)?))).collect()
    }

    /// Rows of any tenant. The statement of PostgreSQL calls a function that may read them.
    async fn of_any_tenant(
        &self,
        cost: Cost,
        sqlite: &'static str,
        postgres: &'static str,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, Error> {
        let any = self.tenant(TenantId::FIRST);
        let sql = match any.conditions().dialect {
            Dialect::Sqlite => sqlite,
            Dialect::Postgres => postgres,
        };
        any.view(cost, Statement::new(sql, values), |view, wanted| async move { view.rows(wanted).await }).await
    }
}
