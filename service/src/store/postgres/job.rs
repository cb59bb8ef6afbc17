//! Batch actions and their logs.

use generated_server::models::JobLog;
use serde_json::json;

use super::{
    change::Change,
    list::Answer,
    session::{Query, parameters},
    view::View,
};
use crate::{
    domain::{
        job::LogLine,
        list::{ListQuery, Listed},
    },
    store::{
        Error,
        sql::{Found, Part, fold, job::LOG},
    },
};

/// `None` when there is no such job, or its account cannot be told from those that may not be seen.
pub(super) async fn logs(view: View, job: i64, query: ListQuery) -> Result<Option<Listed<JobLog>>, Error> {
    // No job has the number 0.
    let job = if view.visible.is_limited() { 0 } else { job };
    let exists = Query::new("SELECT 1 FROM jobs WHERE tenant_id = $1 AND id = $2", parameters![view.tenant.0, job]);
    let conditions = view.viewer().conditions_of(&[("job_id", job)]);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let Answer { names, records, total, beside: [exists] } = view.page(LOG.paged(&conditions, part), [exists]).await?;
    if exists.is_empty() {
        return Ok(None);
    }
    let records = view.records(LOG.columns, part.exclude, &names, &records)?;
    Ok(Some(Found { records, total }.without_ids()))
}

/// What notes a job that is done, and what it has to tell.
pub(super) fn done(change: &Change, id: i64, action: &str, lines: &[LogLine]) -> [Query; 2] {
    let now = jiff::Timestamp::now().as_microsecond();
    let sql = "INSERT INTO jobs (tenant_id, id, action, started_on, finished_on) VALUES ($1, $2, $3, $4, $5)";
    let job = Query::new(sql, parameters![change.tenant(), id, action, change.now(), now]);
    let line = |line: &LogLine| {
        let hex = uuid::Uuid::now_v7().simple().to_string();
        json!({
            "tenant_id": change.tenant(),
            "job_id": id,
            "id": format!("\\x{hex}"),
            "type": line.severity.number(),
            "action": line.action,
            "action_folded": fold(&line.action),
            "message": line.message,
            "date": now,
        })
    };
    let columns = "tenant_id, job_id, id, type, action, action_folded, message, date";
    [job, Change::insert("job_logs", columns, lines.iter().map(line).collect())]
}
