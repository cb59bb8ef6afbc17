//! Reading reference data.

use generated_server::models::{
    AccountCodeLookup, AccountTypeLookup, AgentProcedure, ApprovalRouteLookup, ChartOfAccount, ChartOfAccountLookup,
    ChartOfAccountType, ChartOfAccountTypeLookup, ColorLookup,
};

use super::view::View;
use crate::{
    domain::{
        list::{Exclude, ListQuery, Listed, Sort, Window},
        reference::{AccountCodeFilter, AgentProcedureFilter, ChartOfAccountFilter},
    },
    store::{
        Error,
        sql::{
            self, Conditions, Part, Resource,
            reference::{
                ACCOUNT_CODE, ACCOUNT_TYPE, AGENT_PROCEDURE, APPROVAL_ROUTE, CHART_OF_ACCOUNT, CHART_OF_ACCOUNT_LOOKUP,
                CHART_OF_ACCOUNT_TYPE, CHART_OF_ACCOUNT_TYPE_LOOKUP, COLOR,
            },
        },
    },
};

/// Every record that satisfies the conditions, by id.
fn all<T: Default>(view: &View<'_>, resource: &Resource<T>, conditions: &Conditions) -> Result<Listed<T>, Error> {
    let part = Part { sort: &Sort::default(), exclude: Exclude::default(), window: Window::default() };
    Ok(resource.list(view, &*view.names()?, conditions, part)?.without_ids())
}

pub(super) fn account_codes(
    view: &View<'_>,
    query: &ListQuery<AccountCodeFilter>,
) -> Result<Listed<AccountCodeLookup>, Error> {
    let conditions = sql::reference::account_codes(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(ACCOUNT_CODE.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

pub(super) fn account_types(view: &View<'_>) -> Result<Vec<AccountTypeLookup>, Error> {
    Ok(all(view, &ACCOUNT_TYPE, &view.viewer().conditions())?.records)
}

pub(super) fn approval_routes(view: &View<'_>) -> Result<Vec<ApprovalRouteLookup>, Error> {
    Ok(all(view, &APPROVAL_ROUTE, &view.viewer().conditions())?.records)
}

pub(super) fn agent_procedures(
    view: &View<'_>,
    integration_type: i32,
    filter: &AgentProcedureFilter,
) -> Result<Vec<AgentProcedure>, Error> {
    let conditions = sql::reference::agent_procedures(view.viewer(), integration_type, filter);
    Ok(all(view, &AGENT_PROCEDURE, &conditions)?.records)
}

pub(super) fn colors(view: &View<'_>, module: Option<i32>) -> Result<Vec<ColorLookup>, Error> {
    let conditions = sql::reference::colors(view.viewer(), module);
    Ok(all(view, &COLOR, &conditions)?.records)
}

pub(super) fn chart_of_accounts(
    view: &View<'_>,
    query: &ListQuery<ChartOfAccountFilter>,
) -> Result<Listed<ChartOfAccount>, Error> {
    let conditions = sql::reference::chart_of_accounts(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(CHART_OF_ACCOUNT.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

/// The entries below another; `None` when there is no such other.
pub(super) fn chart_of_account_lookup(
    view: &View<'_>,
    parent: i32,
    window: Window,
) -> Result<Option<Listed<ChartOfAccountLookup>>, Error> {
    let sql = "SELECT 1 FROM chart_of_accounts WHERE tenant_id = ?1 AND id = ?2";
    if !view.connection.prepare_cached(sql)?.exists((view.tenant.0, parent))? {
        return Ok(None);
    }
    let conditions = view.viewer().conditions_of(&[("parent_id", parent.into())]);
    let part = Part { sort: &Sort::default(), exclude: Exclude::default(), window };
    let entries = CHART_OF_ACCOUNT_LOOKUP.list(view, &*view.names()?, &conditions, part)?;
    Ok(Some(entries.without_ids()))
}

pub(super) fn chart_of_account_types(view: &View<'_>, query: &ListQuery) -> Result<Listed<ChartOfAccountType>, Error> {
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let conditions = view.viewer().conditions();
    Ok(CHART_OF_ACCOUNT_TYPE.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

pub(super) fn chart_of_account_type_lookup(view: &View<'_>) -> Result<Listed<ChartOfAccountTypeLookup>, Error> {
    all(view, &CHART_OF_ACCOUNT_TYPE_LOOKUP, &view.viewer().conditions())
}
