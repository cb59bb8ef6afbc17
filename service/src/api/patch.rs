//! The operations tagged `Patch`.

mod plan;

use std::sync::Arc;

use generated_server::{
    models::{MissingPatchesResponse, ScheduleResponse},
    patch::*,
    runtime::server::{Call, Failure},
};

use super::{
    Service,
    envelope::{self, ERROR, RESPONSE_CODE, STATUS},
    failure::{of_store, violation},
};
use crate::domain::{
    agent::{Agent, PATCH_FIELDS},
    caller::Caller,
    scan::{PlannedRun, ScanRequest},
};

impl Patch for Service {
    type Principal = Caller;

    async fn schedule_patch_scan(
        &self,
        call: Call<Caller>,
        request: SchedulePatchScan,
    ) -> Result<ScheduleResponse, Failure> {
        let records = self.records(&call);
        let agent = records.agent(&request.agent_id).await.map_err(of_store)?;
        let agent = agent.ok_or_else(|| Failure::not_found("agent", &request.agent_id))?;
        let recurrence = &request.body.recurrence;
        if recurrence.day_of_month.is_some() && recurrence.specific_day_of_month.is_some() {
            return Err(Failure::bad_request("DayOfMonth and SpecificDayOfMonth must not both be set"));
        }
        let plan = plan::read(&request.body)
            .map_err(|refusals| Failure::unprocessable(refusals.into_iter().map(violation).collect()))?;
        let zone = plan.zone(&agent, &self.zone);
        let scan = ScanRequest {
            agent_id: agent.id,
            body: serde_json::to_string(&plan)?,
            zone: zone.iana_name().unwrap_or("UTC").to_owned(),
            patch_ids: request.body.patch_ids,
        };
        let id = request.agent_id.clone();
        let first = Arc::new(move |_: &Agent, number| {
            // A run that is due before the request has come would be late from the start.
            let now = jiff::Timestamp::now();
            let schedule = plan.schedule(&id, number, zone.clone());
            schedule.occurrences(0).find(|run| run.instant >= now || !schedule.recurs()).map(PlannedRun::from)
        });
        let stored = records.put_scan_schedule(scan, first).await.map_err(of_store)?;
        stored.ok_or_else(|| Failure::not_found("agent", &request.agent_id))?;
        self.schedules.notify_one();
        Ok(ScheduleResponse {
            result: true,
            response_code: RESPONSE_CODE,
            status: STATUS.to_owned(),
            error: ERROR.to_owned(),
        })
    }

    async fn get_missing_patches(
        &self,
        call: Call<Caller>,
        request: GetMissingPatches,
    ) -> Result<MissingPatchesResponse, Failure> {
        let (filter, order_by) = (request.filter.as_deref(), request.orderby.as_deref());
        let query = envelope::query(PATCH_FIELDS, filter, order_by, request.skip, request.top)?;
        let records = self.records(&call);
        let listed =
            records.missing_patches(&request.agent_id, request.hide_denied_patches, query).await.map_err(of_store)?;
        let listed = listed.ok_or_else(|| Failure::not_found("agent", &request.agent_id))?;
        Ok(MissingPatchesResponse {
            total_records: i64::try_from(listed.total).unwrap_or(i64::MAX),
            result: listed.records,
            response_code: RESPONSE_CODE,
            status: STATUS.to_owned(),
            error: ERROR.to_owned(),
        })
    }
}
