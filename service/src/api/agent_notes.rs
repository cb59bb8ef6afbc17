//! The operations tagged `AgentNotes`.

use generated_server::{agent_notes::*, models::AgentNotesResponse};

use super::{
    envelope::{self, ERROR, RESPONSE_CODE, STATUS},
    prelude::*,
};

impl AgentNotes for Service {
    type Principal = Caller;

    async fn get_agent_notes(
        &self,
        call: Call<Caller>,
        request: GetAgentNotes,
    ) -> Result<AgentNotesResponse, Failure<GetAgentNotes>> {
        let (filter, order_by) = (request.filter.as_deref(), request.orderby.as_deref());
        let query = envelope::query(&shape::AGENT_NOTE.fields(), filter, order_by, request.skip, request.top)?;
        let listed = self.records(&call).agent_notes(query).await?;
        Ok(AgentNotesResponse {
            total_records: i64::try_from(listed.total).unwrap_or(i64::MAX),
            result: listed.records,
            response_code: RESPONSE_CODE,
            status: STATUS.to_owned(),
            error: ERROR.to_owned(),
        })
    }
}
