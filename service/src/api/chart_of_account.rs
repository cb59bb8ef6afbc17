//! The operations tagged `ChartOfAccount`.

use generated_server::{
    chart_of_account::*,
    models::{ChartOfAccountLookupPage, ChartOfAccountPage, ChartOfAccountTypeLookupPage, ChartOfAccountTypePage},
};

use super::{list::Paging, prelude::*};

impl ChartOfAccount for Service {
    type Principal = Token;

    async fn get_chart_of_accounts(
        &self,
        call: Call<Token>,
        request: GetChartOfAccounts,
    ) -> Result<GetChartOfAccountsResponse, Failure<GetChartOfAccounts>> {
        let paging = paging!(request);
        let filter = Filter::default()
            .and("Id", Test::is, request.filter_id)
            .and("Code", Test::is, request.filter_code)
            .and("Name", Test::Contains, request.filter_name)
            .and("TypeId", Test::is, request.filter_type_id)
            .and("ParentId", Test::is, request.filter_parent_id)
            .and("IsActive", Test::is, request.filter_is_active);
        let query = paging.query(filter, &resource::CHART_OF_ACCOUNT)?;
        let listed = self.records(&call).list(&resource::CHART_OF_ACCOUNT, query).await?;
        let link = paging.links(call.uri(), &listed);
        Ok(GetChartOfAccountsResponse { link, body: answer!(ChartOfAccountPage, listed.records, total: listed.total) })
    }

    async fn get_chart_of_accounts_lookup(
        &self,
        call: Call<Token>,
        request: GetChartOfAccountsLookup,
    ) -> Result<GetChartOfAccountsLookupResponse, Failure<GetChartOfAccountsLookup>> {
        let (page_size, page_number, after) = (Some(request.page_size), request.page_number, request.after);
        let paging = Paging { sort: None, exclude: None, page_size, page_number, after };
        let query = ListQuery { window: paging.window(), ..ListQuery::default() };
        let parent = request.parent_account_code_id;
        let listed = self.records(&call).chart_of_account_lookup(parent, query).await?;
        let listed = listed.ok_or_else(|| Failure::not_found("chart-of-account entry", parent))?;
        let link = paging.links(call.uri(), &listed);
        let body = answer!(ChartOfAccountLookupPage, listed.records, total: listed.total);
        Ok(GetChartOfAccountsLookupResponse { link, body })
    }

    async fn get_chart_of_account_types(
        &self,
        call: Call<Token>,
        request: GetChartOfAccountTypes,
    ) -> Result<GetChartOfAccountTypesResponse, Failure<GetChartOfAccountTypes>> {
        let paging = paging!(request);
        let query = paging.query(Filter::default(), &resource::CHART_OF_ACCOUNT_TYPE)?;
        let listed = self.records(&call).list(&resource::CHART_OF_ACCOUNT_TYPE, query).await?;
        let link = paging.links(call.uri(), &listed);
        let body = answer!(ChartOfAccountTypePage, listed.records, total: listed.total);
        Ok(GetChartOfAccountTypesResponse { link, body })
    }

    async fn get_chart_of_account_types_look_up(
        &self,
        call: Call<Token>,
        _: GetChartOfAccountTypesLookUp,
    ) -> Result<ChartOfAccountTypeLookupPage, Failure<GetChartOfAccountTypesLookUp>> {
        let listed = self.records(&call).list(&resource::CHART_OF_ACCOUNT_TYPE_LOOKUP, ListQuery::default()).await?;
        Ok(answer!(ChartOfAccountTypeLookupPage, listed.records, total: listed.total))
    }
}
