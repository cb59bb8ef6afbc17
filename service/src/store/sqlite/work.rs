//! Which tenants have something to be done.

use jiff::Timestamp;
use rusqlite::{Connection, Params};

use crate::{
    domain::{retention::Cutoffs, tenant::TenantId},
    store::{Error, sql::scan::moment},
};

pub(super) fn tenants_with_due_scans(connection: &Connection, now: Timestamp) -> Result<Vec<TenantId>, Error> {
    let sql = "SELECT id FROM (
                   SELECT t.id, (
                       SELECT s.next_at FROM scan_schedules AS s INDEXED BY scan_schedules_by_next
                       JOIN agents AS a ON a.tenant_id = s.tenant_id AND a.id = s.agent_id
                       WHERE s.tenant_id = t.id AND s.next_at <= ?1
                       AND s.problem IS NULL AND (s.is_waiting = 0 OR a.is_online)
                       ORDER BY s.next_at LIMIT 1) AS first
                   FROM tenants AS t)
               WHERE first IS NOT NULL ORDER BY first, id";
    tenants(connection, sql, [now.as_microsecond()])
}

pub(super) fn tenants_with_scan_problems(connection: &Connection) -> Result<Vec<TenantId>, Error> {
    tenants(connection, "SELECT DISTINCT tenant_id FROM scan_schedules WHERE problem IS NOT NULL", [])
}

pub(super) fn next_scan(connection: &Connection) -> Result<Option<Timestamp>, Error> {
    let sql = "SELECT min((
                   SELECT s.next_at FROM scan_schedules AS s INDEXED BY scan_schedules_by_next
                   WHERE s.tenant_id = t.id AND s.next_at IS NOT NULL AND s.is_waiting = 0 AND s.problem IS NULL
                   ORDER BY s.next_at LIMIT 1))
               FROM tenants AS t";
    let next: Option<i64> = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    next.map(moment).transpose()
}

pub(super) fn tenants_with_old_records(connection: &Connection, cutoffs: &Cutoffs) -> Result<Vec<TenantId>, Error> {
    let sql = "SELECT t.id FROM tenants AS t WHERE
        EXISTS (SELECT 1 FROM temporary_uploads AS u WHERE u.tenant_id = t.id AND u.expires_on <= ?1)
        OR EXISTS (
            SELECT 1 FROM contents AS c WHERE c.tenant_id = t.id AND c.claimed_on < ?2
            AND NOT EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = c.tenant_id AND a.hash = c.hash)
            AND NOT EXISTS (SELECT 1 FROM temporary_uploads AS u WHERE u.tenant_id = c.tenant_id AND u.hash = c.hash))
        OR EXISTS (SELECT 1 FROM unused_blobs AS b WHERE b.tenant_id = t.id)
        OR EXISTS (SELECT 1 FROM idempotency_keys AS k WHERE k.tenant_id = t.id AND k.created_on < ?3)
        -- The newest change of a tenant stays.
        OR (SELECT l.recorded_on FROM audit_log AS l
            WHERE l.tenant_id = t.id AND l.sequence < (SELECT max(sequence) FROM audit_log WHERE tenant_id = t.id)
            ORDER BY l.sequence LIMIT 1) < ?4
        OR EXISTS (SELECT 1 FROM scan_runs AS r WHERE r.tenant_id = t.id AND r.recorded_on < ?5)
        OR EXISTS (SELECT 1 FROM jobs AS j WHERE j.tenant_id = t.id AND coalesce(j.finished_on, j.started_on) < ?6)
    ORDER BY t.id";
    let values = [
        cutoffs.uploads.as_microsecond(),
        cutoffs.contents.as_microsecond(),
        cutoffs.idempotency_keys.as_microsecond(),
        cutoffs.changes.as_microsecond(),
        cutoffs.scan_runs.as_microsecond(),
        cutoffs.jobs.as_microsecond(),
    ];
    tenants(connection, sql, values)
}

fn tenants(connection: &Connection, sql: &str, values: impl Params) -> Result<Vec<TenantId>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(values, |row| row.get(0).map(TenantId))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
