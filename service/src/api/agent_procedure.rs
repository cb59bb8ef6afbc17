//! The operations tagged `AgentProcedure`.

use generated_server::{agent_procedure::*, models::AgentProcedureList};

use super::prelude::*;

impl AgentProcedure for Service {
    type Principal = Token;

    async fn get_agent_procedures(
        &self,
        call: Call<Token>,
        request: GetAgentProcedures,
    ) -> Result<AgentProcedureList, Failure<GetAgentProcedures>> {
        let filter = Filter::default()
            .and("IntegrationTypeId", Test::is, Some(request.integration_type_id))
            .and("Id", Test::is, request.filter_id)
            .and("Name", Test::Contains, request.filter_name);
        let query = ListQuery { filter, ..ListQuery::default() };
        let listed = self.records(&call).list(&resource::AGENT_PROCEDURE, query).await?;
        Ok(answer!(AgentProcedureList, listed.records))
    }
}
