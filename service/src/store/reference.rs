//! Reference data, assignees, settings, and the logs of batch actions.

use std::collections::BTreeMap;

use generated_server::{
    models::{
        AccountCodeLookupOutputDto, AccountTypeLookupOutputDto, AgentProcedureOutputDto, ApprovalRouteLookupOutputDto,
        AssigneeLookupOutputDto, AssigneeOutputDto, ChartOfAccountLookupOutputDto, ChartOfAccountOutputDto,
        ChartOfAccountTypeLookupOutputDto, ChartOfAccountTypeOutputDto, ColorsLookupOutputDto, JobLogsDto,
        RoleLookupOutputDto,
    },
    runtime::json::Value,
};

use super::{
    Error, TenantStore,
    sqlite::{assignee, job, reference, setting},
};
use crate::domain::{
    list::{ListQuery, Listed, Window},
    reference::{AccountCodeFilter, AgentProcedureFilter, AssigneeFilter, AssigneeLookupFilter, ChartOfAccountFilter},
};

impl TenantStore {
    /// Account codes; see `shape::ACCOUNT_CODE`.
    pub async fn account_codes(
        &self,
        query: ListQuery<AccountCodeFilter>,
    ) -> Result<Listed<AccountCodeLookupOutputDto>, Error> {
        self.read(move |view| reference::account_codes(view, &query)).await
    }

    /// Every account type.
    pub async fn account_types(&self) -> Result<Vec<AccountTypeLookupOutputDto>, Error> {
        self.read(reference::account_types).await
    }

    /// Every approval route.
    pub async fn approval_routes(&self) -> Result<Vec<ApprovalRouteLookupOutputDto>, Error> {
        self.read(reference::approval_routes).await
    }

    /// The procedures of an integration type.
    pub async fn agent_procedures(
        &self,
        integration_type: i32,
        filter: AgentProcedureFilter,
    ) -> Result<Vec<AgentProcedureOutputDto>, Error> {
        self.read(move |view| reference::agent_procedures(view, integration_type, &filter)).await
    }

    /// The colors of a module, or of all.
    pub async fn colors(&self, module: Option<i32>) -> Result<Vec<ColorsLookupOutputDto>, Error> {
        self.read(move |view| reference::colors(view, module)).await
    }

    /// The chart of accounts; see `shape::CHART_OF_ACCOUNT`.
    pub async fn chart_of_accounts(
        &self,
        query: ListQuery<ChartOfAccountFilter>,
    ) -> Result<Listed<ChartOfAccountOutputDto>, Error> {
        self.read(move |view| reference::chart_of_accounts(view, &query)).await
    }

    /// The entries below one of the chart of accounts; `None` when there is no such entry.
    pub async fn chart_of_account_lookup(
        &self,
        parent: i32,
        window: Window,
    ) -> Result<Option<Listed<ChartOfAccountLookupOutputDto>>, Error> {
        self.read(move |view| reference::chart_of_account_lookup(view, parent, window)).await
    }

    /// The types of the chart of accounts; see `shape::CHART_OF_ACCOUNT_TYPE`.
    pub async fn chart_of_account_types(&self, query: ListQuery) -> Result<Listed<ChartOfAccountTypeOutputDto>, Error> {
        self.read(move |view| reference::chart_of_account_types(view, &query)).await
    }

    /// Every type of the chart of accounts.
    pub async fn chart_of_account_type_lookup(&self) -> Result<Listed<ChartOfAccountTypeLookupOutputDto>, Error> {
        self.read(reference::chart_of_account_type_lookup).await
    }

    /// Active assignees; see `shape::ASSIGNEE`.
    pub async fn assignees(&self, query: ListQuery<AssigneeFilter>) -> Result<Listed<AssigneeOutputDto>, Error> {
        self.read(move |view| assignee::assignees(view, &query)).await
    }

    /// Active assignees; see `shape::ASSIGNEE_LOOKUP`.
    pub async fn assignee_lookup(
        &self,
        query: ListQuery<AssigneeLookupFilter>,
    ) -> Result<Listed<AssigneeLookupOutputDto>, Error> {
        self.read(move |view| assignee::lookup(view, &query)).await
    }

    /// How many active assignees there are.
    pub async fn assignee_count(&self) -> Result<i32, Error> {
        self.read(assignee::count).await
    }

    /// The roles of an assignee; `None` when there is no such assignee.
    pub async fn assignee_roles(&self, assignee: i32) -> Result<Option<Vec<RoleLookupOutputDto>>, Error> {
        self.read(move |view| assignee::roles(view, assignee)).await
    }

    /// Every setting, or the one with that key.
    pub async fn settings(&self, key: Option<String>) -> Result<BTreeMap<String, Value>, Error> {
        self.read(move |view| setting::settings(view, key.as_deref())).await
    }

    /// Sets these settings and leaves the others.
    pub async fn put_settings(&self, module: i32, settings: BTreeMap<String, Value>) -> Result<(), Error> {
        self.write(move |change| setting::put(change, module, &settings)).await
    }

    /// The log of a batch action, see `shape::JOB_LOG`; `None` when there is no such action.
    pub async fn job_logs(&self, job: i64, query: ListQuery) -> Result<Option<Listed<JobLogsDto>>, Error> {
        self.read(move |view| job::logs(view, job, &query)).await
    }
}
