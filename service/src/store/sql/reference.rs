//! What lists of reference data are read from, and which of them are wanted.

use generated_server::models::{
    AccountCodeLookup, AccountTypeLookup, AgentProcedure, ApprovalRouteLookup, ChartOfAccount, ChartOfAccountLookup,
    ChartOfAccountType, ChartOfAccountTypeLookup, ColorLookup,
};

use super::{Conditions, Index, Reach, Resource, Viewer, column};
use crate::domain::reference::{AccountCodeFilter, AgentProcedureFilter, ChartOfAccountFilter};

pub(in crate::store) static ACCOUNT_CODE: Resource<AccountCodeLookup> = Resource {
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

pub(in crate::store) static ACCOUNT_TYPE: Resource<AccountTypeLookup> = Resource {
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

pub(in crate::store) static APPROVAL_ROUTE: Resource<ApprovalRouteLookup> = Resource {
    table: "approval_routes",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[column!("Id", id, "id"), column!("Name", name, "name"), column!("IsActive", is_active, "is_active")],
};

pub(in crate::store) static AGENT_PROCEDURE: Resource<AgentProcedure> = Resource {
    table: "agent_procedures",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[column!("Id", id, "id"), column!("Name", name, "name")],
};

pub(in crate::store) static COLOR: Resource<ColorLookup> = Resource {
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

pub(in crate::store) static CHART_OF_ACCOUNT: Resource<ChartOfAccount> = Resource {
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

pub(in crate::store) static CHART_OF_ACCOUNT_LOOKUP: Resource<ChartOfAccountLookup> = Resource {
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

pub(in crate::store) static CHART_OF_ACCOUNT_TYPE: Resource<ChartOfAccountType> = Resource {
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

pub(in crate::store) static CHART_OF_ACCOUNT_TYPE_LOOKUP: Resource<ChartOfAccountTypeLookup> = Resource {
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

/// The account codes that a filter lets through.
pub(in crate::store) fn account_codes(viewer: Viewer<'_>, filter: &AccountCodeFilter) -> Conditions {
    let mut conditions = viewer.conditions();
    conditions.contains("name_folded", filter.name.as_deref(), Index::Named("account_codes_by_name"));
    conditions
}

/// The procedures of an integration type that a filter lets through.
pub(in crate::store) fn agent_procedures(
    viewer: Viewer<'_>,
    integration_type: i32,
    filter: &AgentProcedureFilter,
) -> Conditions {
    let scope = [("integration_type_id", integration_type.into())];
    let mut conditions = viewer.conditions_of(&scope);
    conditions.equal("id", filter.id, Some((Reach::Few, Index::Key)));
    conditions.contains("name_folded", filter.name.as_deref(), Index::Key);
    conditions
}

/// The colors of a module, or of all.
pub(in crate::store) fn colors(viewer: Viewer<'_>, module: Option<i32>) -> Conditions {
    let mut conditions = viewer.conditions();
    conditions.equal("module_id", module, Some((Reach::Value, Index::Named("colors_by_module"))));
    conditions
}

/// The entries that a filter lets through.
pub(in crate::store) fn chart_of_accounts(viewer: Viewer<'_>, filter: &ChartOfAccountFilter) -> Conditions {
    let index = Index::Named;
    let mut conditions = viewer.conditions();
    conditions.equal("id", filter.id, Some((Reach::Few, Index::Key)));
    conditions.text("code_folded", filter.code.as_deref(), index("chart_of_accounts_by_code"));
    conditions.equal("parent_id", filter.parent_id, Some((Reach::Value, index("chart_of_accounts_by_parent"))));
    conditions.equal("type_id", filter.type_id, Some((Reach::Value, index("chart_of_accounts_by_type"))));
    conditions.contains("name_folded", filter.name.as_deref(), index("chart_of_accounts_by_name"));
    conditions.active(filter.is_active, index("chart_of_accounts_by_active"));
    conditions
}
