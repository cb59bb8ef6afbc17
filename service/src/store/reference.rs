//! Reference data, assignees, settings, and the logs of batch actions.

use std::collections::BTreeMap;

use generated_server::{
    models::{
        AccountCodeLookup, AccountTypeLookup, AgentProcedure, ApprovalRouteLookup, Assignee, AssigneeLookup,
        ChartOfAccount, ChartOfAccountLookup, ChartOfAccountType, ChartOfAccountTypeLookup, ColorLookup, JobLog,
        RoleLookup,
    },
    runtime::json::Value,
};

use super::{Condition, Error, TenantStore, delegate};
use crate::domain::{
    list::{ListQuery, Listed, Window},
    reference::{AccountCodeFilter, AgentProcedureFilter, AssigneeFilter, AssigneeLookupFilter, ChartOfAccountFilter},
};

impl TenantStore {
    /// Account codes; see `shape::ACCOUNT_CODE`.
    pub async fn account_codes(&self, query: ListQuery<AccountCodeFilter>) -> Result<Listed<AccountCodeLookup>, Error> {
        delegate!(self.account_codes(query))
    }

    /// Every account type.
    pub async fn account_types(&self) -> Result<Vec<AccountTypeLookup>, Error> {
        delegate!(self.account_types())
    }

    /// Every approval route.
    pub async fn approval_routes(&self) -> Result<Vec<ApprovalRouteLookup>, Error> {
        delegate!(self.approval_routes())
    }

    /// The procedures of an integration type.
    pub async fn agent_procedures(
        &self,
        integration_type: i32,
        filter: AgentProcedureFilter,
    ) -> Result<Vec<AgentProcedure>, Error> {
        delegate!(self.agent_procedures(integration_type, filter))
    }

    /// The colors of a module, or of all.
    pub async fn colors(&self, module: Option<i32>) -> Result<Vec<ColorLookup>, Error> {
        delegate!(self.colors(module))
    }

    /// The chart of accounts; see `shape::CHART_OF_ACCOUNT`.
    pub async fn chart_of_accounts(
        &self,
        query: ListQuery<ChartOfAccountFilter>,
    ) -> Result<Listed<ChartOfAccount>, Error> {
        delegate!(self.chart_of_accounts(query))
    }

    /// The entries below one of the chart of accounts; `None` when there is no such entry.
    pub async fn chart_of_account_lookup(
        &self,
        parent: i32,
        window: Window,
    ) -> Result<Option<Listed<ChartOfAccountLookup>>, Error> {
        delegate!(self.chart_of_account_lookup(parent, window))
    }

    /// The types of the chart of accounts; see `shape::CHART_OF_ACCOUNT_TYPE`.
    pub async fn chart_of_account_types(&self, query: ListQuery) -> Result<Listed<ChartOfAccountType>, Error> {
        delegate!(self.chart_of_account_types(query))
    }

    /// Every type of the chart of accounts.
    pub async fn chart_of_account_type_lookup(&self) -> Result<Listed<ChartOfAccountTypeLookup>, Error> {
        delegate!(self.chart_of_account_type_lookup())
    }

    /// Active assignees; see `shape::ASSIGNEE`.
    pub async fn assignees(&self, query: ListQuery<AssigneeFilter>) -> Result<Listed<Assignee>, Error> {
        delegate!(self.assignees(query))
    }

    /// Active assignees; see `shape::ASSIGNEE_LOOKUP`.
    pub async fn assignee_lookup(
        &self,
        query: ListQuery<AssigneeLookupFilter>,
    ) -> Result<Listed<AssigneeLookup>, Error> {
        delegate!(self.assignee_lookup(query))
    }

    /// How many active assignees there are.
    pub async fn assignee_count(&self) -> Result<i32, Error> {
        delegate!(self.assignee_count())
    }

    /// The roles of an assignee; `None` when there is no such assignee.
    pub async fn assignee_roles(&self, assignee: i32) -> Result<Option<Vec<RoleLookup>>, Error> {
        delegate!(self.assignee_roles(assignee))
    }

    /// Every setting, or the one with that key.
    pub async fn settings(&self, key: Option<String>) -> Result<BTreeMap<String, Value>, Error> {
        delegate!(self.settings(key))
    }

    /// Sets these settings and leaves the others. [`Error::NotAsExpected`] when the condition does not hold of all settings.
    pub async fn put_settings(
        &self,
        module: i32,
        settings: BTreeMap<String, Value>,
        condition: Condition<BTreeMap<String, Value>>,
    ) -> Result<(), Error> {
        delegate!(self.put_settings(module, settings, condition))
    }

    /// The log of a batch action, see `shape::JOB_LOG`; `None` when there is no such action.
    pub async fn job_logs(&self, job: i64, query: ListQuery) -> Result<Option<Listed<JobLog>>, Error> {
        delegate!(self.job_logs(job, query))
    }
}
