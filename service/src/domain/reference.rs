//! What is asked of reference data.

/// What an account code must satisfy.
#[derive(Clone, Debug, Default)]
pub struct AccountCodeFilter {
    /// A part of the name, in any letter case.
    pub name: Option<String>,
}

/// What an entry of the chart of accounts must satisfy.
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
    /// The entry above it.
    pub parent_id: Option<i32>,
    /// Active ones only, or inactive ones only.
    pub is_active: Option<bool>,
}

/// What an assignee must satisfy.
#[derive(Clone, Debug, Default)]
pub struct AssigneeFilter {
    /// A part of the name, in any letter case.
    pub name: Option<String>,
    /// One of these; any when empty.
    pub ids: Vec<i32>,
    /// People only, no queues.
    pub employees_only: bool,
}

/// What an assignee in the lookup must satisfy.
#[derive(Clone, Debug, Default)]
pub struct AssigneeLookupFilter {
    /// One of these; any when empty.
    pub ids: Vec<i32>,
    /// A part of the name, in any letter case.
    pub name: Option<String>,
    /// None of these.
    pub excluded_ids: Vec<i32>,
    /// Manager of this account or member of its team.
    pub account_id: Option<i32>,
}

/// What an agent procedure must satisfy.
#[derive(Clone, Debug, Default)]
pub struct AgentProcedureFilter {
    /// The id.
    pub id: Option<i32>,
    /// A part of the name, in any letter case.
    pub name: Option<String>,
}
