//! The operations tagged `Assignees`.

use generated_server::{assignees::*, models::*};

use super::{
    list::{ids, total},
    prelude::*,
};
use crate::domain::list::Window;

impl Assignees for Service {
    type Principal = Token;

    async fn get_assignees(
        &self,
        call: Call<Token>,
        request: GetAssignees,
    ) -> Result<GetAssigneesResponse, Failure<GetAssignees>> {
        let paging = paging!(request);
        let filter = Filter::default()
            .and("Id", Test::OneOf, request.ids)
            .and("Name", Test::Contains, request.name)
            .and("IsActive", Test::is, Some(true))
            .and("IsEmployee", Test::is, request.employees_only.filter(|only| *only));
        let query = paging.query(filter, &resource::ASSIGNEE)?;
        let listed = self.records(&call).list(&resource::ASSIGNEE, query).await?;
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
        let filter = Filter::default()
            .and("Id", Test::OneOf, request.filter_ids)
            .and("Id", Test::NoneOf, excluded.transpose()?)
            .and("Name", Test::Contains, request.filter_name)
            .and("IsActive", Test::is, Some(true));
        let query = paging.query(filter, &resource::ASSIGNEE_LOOKUP)?;
        let listed = self.records(&call).assignee_lookup(query, request.filter_account_id).await?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetAssigneeLookupsResponse { link, body: answer!(AssigneeLookupList, listed.records) })
    }

    async fn get_assignees_count(
        &self,
        call: Call<Token>,
        _: GetAssigneesCount,
    ) -> Result<CountResponse, Failure<GetAssigneesCount>> {
        let filter = Filter::default().and("IsActive", Test::is, Some(true));
        let window = Window { limit: Some(0), ..Window::default() };
        let query = ListQuery { filter, window, ..ListQuery::default() };
        let listed = self.records(&call).list(&resource::ASSIGNEE, query).await?;
        Ok(answer!(CountResponse, total(listed.total)))
    }

    async fn get_employee_role_lookups(
        &self,
        call: Call<Token>,
        request: GetEmployeeRoleLookups,
    ) -> Result<RoleLookupList, Failure<GetEmployeeRoleLookups>> {
        let roles = self.records(&call).assignee_roles(request.assignee_id).await?;
        let roles = roles.ok_or_else(|| Failure::not_found("assignee", request.assignee_id))?;
        Ok(answer!(RoleLookupList, roles.records))
    }
}
