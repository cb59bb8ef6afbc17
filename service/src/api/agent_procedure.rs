//! The operations tagged `AgentProcedure`.

use generated_server::{agent_procedure::*, models::AgentProcedureList};

use super::prelude::*;
use crate::domain::reference::AgentProcedureFilter;

impl AgentProcedure for Service {
    type Principal = Token;

    async fn get_agent_procedures(
        &self,
        call: Call<Token>,
        request: GetAgentProcedures,
    ) -> Result<AgentProcedureList, Failure<GetAgentProcedures>> {
        let filter = AgentProcedureFilter { id: request.filter_id, name: request.filter_name };
        let records = self.records(&call);
        let procedures = records.agent_procedures(request.integration_type_id, filter).await?;
        Ok(answer!(AgentProcedureList, procedures))
    }
}
