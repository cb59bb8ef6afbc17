//! Reading reference data.

use generated_server::models::{
    AccountCodeLookup, AccountTypeLookup, AgentProcedure, ApprovalRouteLookup, ChartOfAccount, ChartOfAccountLookup,
    ChartOfAccountType, ChartOfAccountTypeLookup, ColorLookup,
};

use super::{
    list::Answer,
    session::{Query, parameters},
    view::View,
};
use crate::{
    domain::{
        list::{Exclude, ListQuery, Listed, Sort, Window},
        reference::{AccountCodeFilter, AgentProcedureFilter, ChartOfAccountFilter},
    },
    store::{
        Error,
        sql::{
            self, Conditions, Found, Part, Resource,
            reference::{
                ACCOUNT_CODE, ACCOUNT_TYPE, AGENT_PROCEDURE, APPROVAL_ROUTE, CHART_OF_ACCOUNT, CHART_OF_ACCOUNT_LOOKUP,
                CHART_OF_ACCOUNT_TYPE, CHART_OF_ACCOUNT_TYPE_LOOKUP, COLOR,
            },
        },
    },
};

/// Every record of which the conditions hold, by id.
async fn all<T: Default>(view: &View, resource: &Resource<T>, conditions: &Conditions) -> Result<Listed<T>, Error> {
    let part = Part { sort: &Sort::default(), exclude: Exclude::default(), window: Window::default() };
    view.list(resource, conditions, part).await
}

pub(super) async fn account_codes(
    view: View,
    query: ListQuery<AccountCodeFilter>,
) -> Result<Listed<AccountCodeLookup>, Error> {
    let conditions = sql::reference::account_codes(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    view.list(&ACCOUNT_CODE, &conditions, part).await
}

pub(super) async fn account_types(view: View) -> Result<Vec<AccountTypeLookup>, Error> {
    Ok(all(&view, &ACCOUNT_TYPE, &view.viewer().conditions()).await?.records)
}

pub(super) async fn approval_routes(view: View) -> Result<Vec<ApprovalRouteLookup>, Error> {
    Ok(all(&view, &APPROVAL_ROUTE, &view.viewer().conditions()).await?.records)
}

pub(super) async fn agent_procedures(
    view: View,
    integration_type: i32,
    filter: AgentProcedureFilter,
) -> Result<Vec<AgentProcedure>, Error> {
    let conditions = sql::reference::agent_procedures(view.viewer(), integration_type, &filter);
    Ok(all(&view, &AGENT_PROCEDURE, &conditions).await?.records)
}

pub(super) async fn colors(view: View, module: Option<i32>) -> Result<Vec<ColorLookup>, Error> {
    Ok(all(&view, &COLOR, &sql::reference::colors(view.viewer(), module)).await?.records)
}

pub(super) async fn chart_of_accounts(
    view: View,
    query: ListQuery<ChartOfAccountFilter>,
) -> Result<Listed<ChartOfAccount>, Error> {
    let conditions = sql::reference::chart_of_accounts(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    view.list(&CHART_OF_ACCOUNT, &conditions, part).await
}

/// The entries below another; `None` when there is no such other.
pub(super) async fn chart_of_account_lookup(
    view: View,
    parent: i32,
    window: Window,
) -> Result<Option<Listed<ChartOfAccountLookup>>, Error> {
    let sql = "SELECT 1 FROM chart_of_accounts WHERE tenant_id = $1 AND id = $2";
    let exists = Query::new(sql, parameters![view.tenant.0, parent]);
    let conditions = view.viewer().conditions_of(&[("parent_id", parent.into())]);
    let part = Part { sort: &Sort::default(), exclude: Exclude::default(), window };
    let Answer { names, records, total, beside: [exists] } =
        view.page(CHART_OF_ACCOUNT_LOOKUP.paged(&conditions, part), [exists]).await?;
    if exists.is_empty() {
        return Ok(None);
    }
    let records = view.records(CHART_OF_ACCOUNT_LOOKUP.columns, part.exclude, &names, &records)?;
    Ok(Some(Found { records, total }.without_ids()))
}

pub(super) async fn chart_of_account_types(view: View, query: ListQuery) -> Result<Listed<ChartOfAccountType>, Error> {
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    view.list(&CHART_OF_ACCOUNT_TYPE, &view.viewer().conditions(), part).await
}

pub(super) async fn chart_of_account_type_lookup(view: View) -> Result<Listed<ChartOfAccountTypeLookup>, Error> {
    all(&view, &CHART_OF_ACCOUNT_TYPE_LOOKUP, &view.viewer().conditions()).await
}
