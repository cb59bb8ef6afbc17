//! The logs of batch actions.

use generated_server::models::JobLog;

use super::{List, Resource, member::*, members, stored};
use crate::store::record::PLAIN;

/// The log lines. Not part of imports and exports.
pub(in crate::store) static JOB_LOGS: Resource =
    Resource { name: "JobLogs", one: "line of a log", table: "job_logs", members: stored!(JOB_LOG.members), ..PLAIN };

pub static JOB_LOG: List<JobLog> = members!(JobLog {
    "Id"      id      = id().sorted();
    "Type"    type_   = integer("type", 0).sorted();
    "Action"  action  = text("action").folded().sorted();
    "Message" message = text("message").at_most(4000);
    "Date"    date    = moment("date").sorted();
});
