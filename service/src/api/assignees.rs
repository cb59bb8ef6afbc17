//! The operations tagged `Assignees`.

use generated_server::{assignees::*, models::*};

use super::{list::ids, prelude::*};
use crate::domain::reference::{AssigneeFilter, AssigneeLookupFilter};

impl Assignees for Service {
    type Principal = Token;

    async fn get_assignees(
        &self,
        call: Call<Token>,
        request: GetAssignees,
    ) -> Result<GetAssigneesResponse, Failure<GetAssignees>> {
        let paging = paging!(request);
        let filter = AssigneeFilter {
            name: request.name.clone(),
            ids: request.ids.clone().unwrap_or_default(),
            employees_only: request.employees_only.unwrap_or(false),
        };
        let query = paging.query(filter, &shape::ASSIGNEE)?;
        let listed = self.records(&call).assignees(query).await?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetAssigneesResponse { link, body: answer!(AssigneeList, listed.records) })
    }

    async fn get_assignee_lookups(
        &self,
        call: Call<Token>,
        request: GetAssigneeLookups,
    ) -> Result<GetAssigneeLookupsResponse, Failure<GetAssigneeLookups>> {
        let paging = paging!(request);
        let excluded = request.filter_excluded_ids.as_deref().map(|text| ids("Filter.ExcludedIds", text));
        let filter = AssigneeLookupFilter {
            ids: request.filter_ids.clone().unwrap_or_default(),
            name: request.filter_name.clone(),
            excluded_ids: excluded.transpose()?.unwrap_or_default(),
            account_id: request.filter_account_id,
        };
        let query = paging.query(filter, &shape::ASSIGNEE_LOOKUP)?;
        let listed = self.records(&call).assignee_lookup(query).await?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetAssigneeLookupsResponse { link, body: answer!(AssigneeLookupList, listed.records) })
    }

    async fn get_assignees_count(
        &self,
        call: Call<Token>,
        _: GetAssigneesCount,
    ) -> Result<CountResponse, Failure<GetAssigneesCount>> {
        let count = self.records(&call).assignee_count().await?;
        Ok(answer!(CountResponse, count))
    }

    async fn get_employee_role_lookups(
        &self,
        call: Call<Token>,
        request: GetEmployeeRoleLookups,
    ) -> Result<RoleLookupList, Failure<GetEmployeeRoleLookups>> {
        let roles = self.records(&call).assignee_roles(request.assignee_id).await?;
        let roles = roles.ok_or_else(|| Failure::not_found("assignee", request.assignee_id))?;
        Ok(answer!(RoleLookupList, roles))
    }
}
