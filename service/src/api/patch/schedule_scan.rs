//! Puts a schedule of patch scans.

use generated_server::{patch::SchedulePatchScan, runtime::server::Failure};
use jiff::Timestamp;

use super::plan;
use crate::{
    api::failure::refused,
    domain::{
        refusal::Refusal,
        scan::{AgentSchedule, ScanRequest, ScanSchedule},
        time_zone::NamedZone,
    },
    store::{Error, TenantStore},
};

/// Number of attempts to plan a schedule while others change its inputs.
const ATTEMPTS: usize = 10;

/// Plans the schedule outside of the store's writer, which then checks that the inputs are unchanged.
pub(super) async fn put(
    records: &TenantStore,
    service: &NamedZone,
    request: SchedulePatchScan,
) -> Result<(), Failure<SchedulePatchScan>> {
    let SchedulePatchScan { agent_id, body } = request;
    let not_found = || Failure::not_found("agent", &agent_id);
    for _ in 0..ATTEMPTS {
        let agent = records.agent(&agent_id).await?.ok_or_else(not_found)?;
        if body.recurrence.day_of_month.is_some() && body.recurrence.specific_day_of_month.is_some() {
            return Err(Failure::bad_request("DayOfMonth and SpecificDayOfMonth must not both be set").into());
        }
        let plan = plan::read(&body).map_err(refused)?;
        let zone = plan.zone(&agent, service).map_err(|error| {
            let detail = format!("must be true here: the zone of the agent cannot be used, {error}");
            refused(vec![Refusal::new("/ServerTimeZone", "timeZone", detail)])
        })?;
        // Only the number, so that a damaged schedule can be replaced.
        let number = records.scan_schedule_number(&agent_id).await?.unwrap_or(0).saturating_add(1);
        let schedule = plan.schedule(&agent_id, number, zone.zone);
        let request = ScanRequest {
            agent_id: agent_id.clone(),
            body: serde_json::to_string(&plan)?,
            zone: zone.name,
            patch_ids: body.patch_ids.clone(),
        };
        let schedule = ScanSchedule { number, request, next: schedule.first_run(Timestamp::now()) };
        if records.put_scan_schedule(AgentSchedule { schedule, agent }).await? {
            return Ok(());
        }
    }
    Err(Error::Busy.into())
}
