//! Reading reference data.

use generated_server::models::{
    AccountCodeLookupOutputDto, AccountTypeLookupOutputDto, AgentProcedureOutputDto, ApprovalRouteLookupOutputDto,
    ChartOfAccountLookupOutputDto, ChartOfAccountOutputDto, ChartOfAccountTypeLookupOutputDto,
    ChartOfAccountTypeOutputDto, ColorsLookupOutputDto,
};

use super::{
    conditions::{Conditions, Index, Reach},
    list::{Part, Resource, column},
    view::View,
};
use crate::{
    domain::{
        list::{Exclude, ListQuery, Listed, Sort, Window},
        reference::{AccountCodeFilter, AgentProcedureFilter, ChartOfAccountFilter},
    },
    store::Error,
};

pub(super) static ACCOUNT_CODE: Resource<AccountCodeLookupOutputDto> = Resource {
    table: "account_codes",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id", key),
        column!("Name", name, "name", by "account_codes_by_name" on "name_folded"),
        column!("IsActive", is_active, "is_active", by "account_codes_by_active"),
    ],
};

static ACCOUNT_TYPE: Resource<AccountTypeLookupOutputDto> = Resource {
    table: "account_types",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id"),
        column!("Name", name, "name"),
        column!("IsActive", is_active, "is_active"),
        column!("IsClient", is_client, "is_client"),
        column!("IsVendor", is_vendor, "is_vendor"),
    ],
};

static APPROVAL_ROUTE: Resource<ApprovalRouteLookupOutputDto> = Resource {
    table: "approval_routes",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[column!("Id", id, "id"), column!("Name", name, "name"), column!("IsActive", is_active, "is_active")],
};

static AGENT_PROCEDURE: Resource<AgentProcedureOutputDto> = Resource {
    table: "agent_procedures",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[column!("Id", id, "id"), column!("Name", name, "name")],
};

static COLOR: Resource<ColorsLookupOutputDto> = Resource {
    table: "colors",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id"),
        column!("ModuleId", module_id, "module_id"),
        column!("Name", name, "name"),
        column!("Label", label, "label"),
        column!("FontColor", font_color, "font_color"),
        column!("BackgroundColor", background_color, "background_color"),
    ],
};

pub(super) static CHART_OF_ACCOUNT: Resource<ChartOfAccountOutputDto> = Resource {
    table: "chart_of_accounts",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id", key),
        column!("Code", code, "code", by "chart_of_accounts_by_code" on "code_folded"),
        column!("Name", name, "name", by "chart_of_accounts_by_name" on "name_folded"),
        column!("Description", description, "description"),
        column!("TypeId", type_id, "type_id", by "chart_of_accounts_by_type"),
        column!("TypeName", type_name, "type_id", of ChartOfAccountTypes),
        column!("ParentId", parent_id, "parent_id", by "chart_of_accounts_by_parent"),
        column!(
            "ParentName",
            parent_name,
            "(SELECT name FROM chart_of_accounts AS p WHERE p.tenant_id = chart_of_accounts.tenant_id AND p.id = chart_of_accounts.parent_id)"
        ),
        column!("IsActive", is_active, "is_active", by "chart_of_accounts_by_active"),
    ],
};

static CHART_OF_ACCOUNT_LOOKUP: Resource<ChartOfAccountLookupOutputDto> = Resource {
    table: "chart_of_accounts",
    key: Index::Named("chart_of_accounts_by_parent"),
    counters: None,
    narrow: Index::Named("chart_of_accounts_by_parent"),
    columns: &[
        column!("Id", id, "id"),
        column!("Code", code, "code"),
        column!("Name", name, "name"),
        column!("TypeId", type_id, "type_id"),
        column!("TypeName", type_name, "type_id", of ChartOfAccountTypes),
        column!("IsActive", is_active, "is_active"),
    ],
};

pub(super) static CHART_OF_ACCOUNT_TYPE: Resource<ChartOfAccountTypeOutputDto> = Resource {
    table: "chart_of_account_types",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id", key),
        column!("Name", name, "name", by "chart_of_account_types_by_name" on "name_folded"),
        column!("Description", description, "description"),
        column!("IsActive", is_active, "is_active", by "chart_of_account_types_by_active"),
    ],
};

static CHART_OF_ACCOUNT_TYPE_LOOKUP: Resource<ChartOfAccountTypeLookupOutputDto> = Resource {
    table: "chart_of_account_types",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id"),
        column!("Name", name, "name"),
        column!("Description", description, "description"),
        column!("IsActive", is_active, "is_active"),
    ],
};

/// Every record that satisfies the conditions, by id.
fn all<T: Default>(view: &View<'_>, resource: &Resource<T>, conditions: &Conditions) -> Result<Listed<T>, Error> {
    let part = Part { sort: &Sort::default(), exclude: Exclude::default(), window: Window::default() };
    Ok(resource.list(view, &*view.names()?, conditions, part)?.without_ids())
}

pub(super) fn account_codes(
    view: &View<'_>,
    query: &ListQuery<AccountCodeFilter>,
) -> Result<Listed<AccountCodeLookupOutputDto>, Error> {
    let mut conditions = Conditions::of(view.tenant);
    conditions.contains("name_folded", query.filter.name.as_deref(), Index::Named("account_codes_by_name"));
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(ACCOUNT_CODE.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

pub(super) fn account_types(view: &View<'_>) -> Result<Vec<AccountTypeLookupOutputDto>, Error> {
    Ok(all(view, &ACCOUNT_TYPE, &Conditions::of(view.tenant))?.records)
}

pub(super) fn approval_routes(view: &View<'_>) -> Result<Vec<ApprovalRouteLookupOutputDto>, Error> {
    Ok(all(view, &APPROVAL_ROUTE, &Conditions::of(view.tenant))?.records)
}

pub(super) fn agent_procedures(
    view: &View<'_>,
    integration_type: i32,
    filter: &AgentProcedureFilter,
) -> Result<Vec<AgentProcedureOutputDto>, Error> {
    let scope = [("integration_type_id", integration_type.into())];
    let mut conditions = Conditions::within_scope(view.tenant, &scope);
    conditions.equal("id", filter.id, Some((Reach::Few, Index::Key)));
    conditions.contains("name_folded", filter.name.as_deref(), Index::Key);
    Ok(all(view, &AGENT_PROCEDURE, &conditions)?.records)
}

pub(super) fn colors(view: &View<'_>, module: Option<i32>) -> Result<Vec<ColorsLookupOutputDto>, Error> {
    let mut conditions = Conditions::of(view.tenant);
    conditions.equal("module_id", module, Some((Reach::Value, Index::Named("colors_by_module"))));
    Ok(all(view, &COLOR, &conditions)?.records)
}

pub(super) fn chart_of_accounts(
    view: &View<'_>,
    query: &ListQuery<ChartOfAccountFilter>,
) -> Result<Listed<ChartOfAccountOutputDto>, Error> {
    let filter = &query.filter;
    let index = Index::Named;
    let mut conditions = Conditions::of(view.tenant);
    conditions.equal("id", filter.id, Some((Reach::Few, Index::Key)));
    conditions.text("code_folded", filter.code.as_deref(), index("chart_of_accounts_by_code"));
    conditions.equal("parent_id", filter.parent_id, Some((Reach::Value, index("chart_of_accounts_by_parent"))));
    conditions.equal("type_id", filter.type_id, Some((Reach::Value, index("chart_of_accounts_by_type"))));
    conditions.contains("name_folded", filter.name.as_deref(), index("chart_of_accounts_by_name"));
    conditions.active(filter.is_active, index("chart_of_accounts_by_active"));
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(CHART_OF_ACCOUNT.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

/// The entries below another; `None` when there is no such other.
pub(super) fn chart_of_account_lookup(
    view: &View<'_>,
    parent: i32,
    window: Window,
) -> Result<Option<Listed<ChartOfAccountLookupOutputDto>>, Error> {
    let sql = "SELECT 1 FROM chart_of_accounts WHERE tenant_id = ?1 AND id = ?2";
    if !view.connection.prepare_cached(sql)?.exists((view.tenant.0, parent))? {
        return Ok(None);
    }
    let conditions = Conditions::within_scope(view.tenant, &[("parent_id", parent.into())]);
    let part = Part { sort: &Sort::default(), exclude: Exclude::default(), window };
    let entries = CHART_OF_ACCOUNT_LOOKUP.list(view, &*view.names()?, &conditions, part)?;
    Ok(Some(entries.without_ids()))
}

pub(super) fn chart_of_account_types(
    view: &View<'_>,
    query: &ListQuery,
) -> Result<Listed<ChartOfAccountTypeOutputDto>, Error> {
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let conditions = Conditions::of(view.tenant);
    Ok(CHART_OF_ACCOUNT_TYPE.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

pub(super) fn chart_of_account_type_lookup(
    view: &View<'_>,
) -> Result<Listed<ChartOfAccountTypeLookupOutputDto>, Error> {
    all(view, &CHART_OF_ACCOUNT_TYPE_LOOKUP, &Conditions::of(view.tenant))
}
