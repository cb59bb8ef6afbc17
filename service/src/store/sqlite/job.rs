//! Batch actions and their logs.

use generated_server::models::JobLog;
use rusqlite::params;

use super::{change::Change, view::View};
use crate::{
    domain::{
        job::LogLine,
        list::{ListQuery, Listed},
    },
    store::{
        Error,
        sql::{Part, fold, job::LOG},
    },
};

/// `None` when there is no such job, or its account cannot be told from those that may not be seen.
pub(super) fn logs(view: &View<'_>, job: i64, query: &ListQuery) -> Result<Option<Listed<JobLog>>, Error> {
    // No job has the number 0.
    let job = if view.visible.is_limited() { 0 } else { job };
    let sql = "SELECT 1 FROM jobs WHERE tenant_id = ?1 AND id = ?2";
    if !view.connection.prepare_cached(sql)?.exists((view.tenant.0, job))? {
        return Ok(None);
    }
    let conditions = view.viewer().conditions_of(&[("job_id", job)]);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(Some(LOG.list(view, &*view.names()?, &conditions, part)?.without_ids()))
}

/// Begins a job and gives its number.
pub(super) fn start(change: &Change<'_>, action: &str) -> Result<i64, Error> {
    let id = change.next_number("jobs")?;
    let sql = "INSERT INTO jobs (tenant_id, id, action, started_on) VALUES (?1, ?2, ?3, ?4)";
    change.connection().prepare_cached(sql)?.execute((change.tenant(), id, action, change.now()))?;
    Ok(id)
}

/// Writes a line of the log.
pub(super) fn log(change: &Change<'_>, job: i64, line: &LogLine) -> Result<(), Error> {
    let sql = "INSERT INTO job_logs (tenant_id, job_id, id, type, action, action_folded, message, date)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    change.connection().prepare_cached(sql)?.execute(params![
        change.tenant(),
        job,
        uuid::Uuid::now_v7().into_bytes(),
        line.severity.number(),
        line.action,
        fold(&line.action),
        line.message,
        jiff::Timestamp::now().as_microsecond(),
    ])?;
    Ok(())
}

/// Ends a job.
pub(super) fn finish(change: &Change<'_>, job: i64) -> Result<(), Error> {
    let sql = "UPDATE jobs SET finished_on = ?3 WHERE tenant_id = ?1 AND id = ?2";
    let now = jiff::Timestamp::now().as_microsecond();
    change.connection().prepare_cached(sql)?.execute((change.tenant(), job, now))?;
    Ok(())
}
