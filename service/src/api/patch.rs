//! The operations tagged `Patch`.

mod plan;
mod schedule_scan;

use generated_server::{
    models::{MissingPatchesResponse, ScheduleResponse},
    patch::*,
};

use super::{
    envelope::{envelope, query},
    prelude::*,
};

impl Patch for Service {
    type Principal = Token;

    async fn schedule_patch_scan(
        &self,
        call: Call<Token>,
        request: SchedulePatchScan,
    ) -> Result<ScheduleResponse, Failure<SchedulePatchScan>> {
        schedule_scan::put(&self.records(&call), &self.zone, request).await?;
        self.schedules.notify_one();
        Ok(envelope!(ScheduleResponse, true))
    }

    async fn get_missing_patches(
        &self,
        call: Call<Token>,
        request: GetMissingPatches,
    ) -> Result<MissingPatchesResponse, Failure<GetMissingPatches>> {
        let (filter, order_by) = (request.filter.as_deref(), request.orderby.as_deref());
        let query = query(&resource::MISSING_PATCH.fields(), filter, order_by, request.skip, request.top)?;
        let records = self.records(&call);
        let listed = records.missing_patches(&request.agent_id, request.hide_denied_patches, query).await?;
        let listed = listed.ok_or_else(|| Failure::not_found("agent", &request.agent_id))?;
        Ok(envelope!(MissingPatchesResponse, listed.records, total: listed.total))
    }
}
