//! The logs of batch actions.

use generated_server::models::JobLog;

use super::{member::*, *};

/// The log lines. Not part of imports and exports.
pub(in crate::store) static JOB_LOGS: Resource =
    Resource::new("JobLogs", "line of a log", "", "", "job_logs", stored!(JOB_LOG.members));

pub static JOB_LOG: List<JobLog> = members!(JOB_LOGS, JobLog {
    "Id"      id      = id().sorted();
    "Type"    type_   = integer("type", 0).sorted();
    "Action"  action  = text("action").folded().sorted();
    "Message" message = text("message").at_most(4000);
    "Date"    date    = moment("date").sorted();
});
