//! The operations tagged `AgentNotes`.

use generated_server::{
    agent_notes::*,
    models::AgentNotesResponse,
    runtime::server::{Call, Failure},
};

use super::{
    Service,
    envelope::{self, ERROR, RESPONSE_CODE, STATUS},
    failure::of_store,
};
use crate::domain::{agent::NOTE_FIELDS, caller::Caller};

/// The function that gives access to agent notes.
const NOTES_FUNCTION: u32 = 560_206;

impl AgentNotes for Service {
    type Principal = Caller;

    async fn get_agent_notes(&self, call: Call<Caller>, request: GetAgentNotes) -> Result<AgentNotesResponse, Failure> {
        if !call.principal().grants.has_function(NOTES_FUNCTION) {
            return Err(Failure::forbidden(format!("access to function {NOTES_FUNCTION} is required")));
        }
        let (filter, order_by) = (request.filter.as_deref(), request.orderby.as_deref());
        let query = envelope::query(NOTE_FIELDS, filter, order_by, request.skip, request.top)?;
        let listed = self.records(&call).agent_notes(query).await.map_err(of_store)?;
        Ok(AgentNotesResponse {
            total_records: i64::try_from(listed.total).unwrap_or(i64::MAX),
            result: listed.records,
            response_code: RESPONSE_CODE,
            status: STATUS.to_owned(),
            error: ERROR.to_owned(),
        })
    }
}
