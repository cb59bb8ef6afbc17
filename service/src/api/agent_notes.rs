//! The operations tagged `AgentNotes`.

use generated_server::{agent_notes::*, models::AgentNotesResponse};

use super::{
    envelope::{envelope, query},
    prelude::*,
};

impl AgentNotes for Service {
    type Principal = Token;

    async fn get_agent_notes(
        &self,
        call: Call<Token>,
        request: GetAgentNotes,
    ) -> Result<AgentNotesResponse, Failure<GetAgentNotes>> {
        let (filter, order_by) = (request.filter.as_deref(), request.orderby.as_deref());
        let query = query(&resource::AGENT_NOTE.fields(), filter, order_by, request.skip, request.top)?;
        let listed = self.records(&call).agent_notes(query).await?;
        Ok(envelope!(AgentNotesResponse, listed.records, total: listed.total))
    }
}
