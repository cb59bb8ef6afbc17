//! Filters of reference data.

/// The filter of account codes.
#[derive(Clone, Debug, Default)]
pub struct AccountCodeFilter {
    /// A part of the name, in any letter case.
    pub name: Option<String>,
}

/// The filter of the chart of accounts.
#[derive(Clone, Debug, Default)]
pub struct ChartOfAccountFilter {
    /// The id.
    pub id: Option<i32>,
    /// The code, in any letter case.
    pub code: Option<String>,
    /// A part of the name, in any letter case.
    pub name: Option<String>,
    /// The type.
    pub type_id: Option<i32>,
    /// The parent entry.
    pub parent_id: Option<i32>,
    /// Active ones only, or inactive ones only.
    pub is_active: Option<bool>,
}

/// The filter of assignees.
#[derive(Clone, Debug, Default)]
pub struct AssigneeFilter {
    /// A part of the name, in any letter case.
    pub name: Option<String>,
    /// Any of these; all if empty.
    pub ids: Vec<i32>,
    /// Only people, not queues.
    pub employees_only: bool,
}

/// The filter of the assignee lookup.
#[derive(Clone, Debug, Default)]
pub struct AssigneeLookupFilter {
    /// Any of these; all if empty.
    pub ids: Vec<i32>,
    /// A part of the name, in any letter case.
    pub name: Option<String>,
    /// None of these.
    pub excluded_ids: Vec<i32>,
    /// The manager of this account, and members of its team.
    pub account_id: Option<i32>,
}

/// The filter of agent procedures.
#[derive(Clone, Debug, Default)]
pub struct AgentProcedureFilter {
    /// The id.
    pub id: Option<i32>,
    /// A part of the name, in any letter case.
    pub name: Option<String>,
}
