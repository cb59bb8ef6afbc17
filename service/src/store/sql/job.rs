//! What lists of log lines are read from.

use generated_server::models::JobLog;

use super::{Index, Resource, column};

pub(in crate::store) static LOG: Resource<JobLog> = Resource {
    table: "job_logs",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id", key),
        column!("Type", type_, "type", by "job_logs_by_type"),
        column!("Action", action, "action", by "job_logs_by_action" on "action_folded"),
        column!("Message", message, "message"),
        column!("Date", date, "date", by "job_logs_by_date"),
    ],
};
