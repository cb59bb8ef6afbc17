//! Patch scans, as they are kept and shown.

use jiff::Timestamp;

use super::text;
use crate::{
    domain::{agent::Agent, change::Subject, scan::ScanSchedule},
    store::Error,
};

/// What a run failed at before, and what is not to be forgotten when it is scheduled again.
pub(in crate::store) const FAILED: &str = "(2, 3, 8)";

/// The moment of a number.
pub(in crate::store) fn moment(microseconds: i64) -> Result<Timestamp, Error> {
    Timestamp::from_microsecond(microseconds).map_err(Error::database)
}

/// A number that is no less than 0.
pub(in crate::store) fn count(number: i64) -> Result<u64, Error> {
    u64::try_from(number).map_err(|_| Error::Damaged(format!("the store holds {number} where a count belongs")))
}

/// A schedule for the audit log.
pub(in crate::store) fn described(schedule: &ScanSchedule) -> Result<String, Error> {
    text::write(&serde_json::json!({
        "Number": schedule.number,
        "Schedule": serde_json::from_str::<serde_json::Value>(&schedule.request.body).unwrap_or_default(),
        "TimeZone": schedule.request.zone,
        "PatchIds": schedule.request.patch_ids,
    }))
}

/// A schedule that is to be replaced, for the audit log: of one that cannot be read, its number.
pub(in crate::store) fn described_before(number: i64, schedule: Option<&ScanSchedule>) -> Result<String, Error> {
    schedule.map_or_else(|| text::write(&serde_json::json!({ "Number": number })), described)
}

/// What belongs to an agent.
pub(in crate::store) fn subject(kind: &'static str, agent: &Agent) -> Subject {
    Subject::new(kind, &agent.id).of_account(agent.account)
}
