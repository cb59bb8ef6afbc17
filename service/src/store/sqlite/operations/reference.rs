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

use crate::{
    domain::{
        list::{ListQuery, Listed, Window},
        reference::{
            AccountCodeFilter, AgentProcedureFilter, AssigneeFilter, AssigneeLookupFilter, ChartOfAccountFilter,
        },
    },
    store::{
        Condition, Error, Scope,
        sqlite::{Database, assignee, job, reference, setting},
    },
};

impl Database {
    pub(in crate::store) async fn account_codes(
        &self,
        scope: &Scope,
        query: ListQuery<AccountCodeFilter>,
    ) -> Result<Listed<AccountCodeLookup>, Error> {
        self.view(scope, move |view| reference::account_codes(view, &query)).await
    }

    pub(in crate::store) async fn account_types(&self, scope: &Scope) -> Result<Vec<AccountTypeLookup>, Error> {
        self.view(scope, reference::account_types).await
    }

    pub(in crate::store) async fn approval_routes(&self, scope: &Scope) -> Result<Vec<ApprovalRouteLookup>, Error> {
        self.view(scope, reference::approval_routes).await
    }

    pub(in crate::store) async fn agent_procedures(
        &self,
        scope: &Scope,
        integration_type: i32,
        filter: AgentProcedureFilter,
    ) -> Result<Vec<AgentProcedure>, Error> {
        self.view(scope, move |view| reference::agent_procedures(view, integration_type, &filter)).await
    }

    pub(in crate::store) async fn colors(&self, scope: &Scope, module: Option<i32>) -> Result<Vec<ColorLookup>, Error> {
        self.view(scope, move |view| reference::colors(view, module)).await
    }

    pub(in crate::store) async fn chart_of_accounts(
        &self,
        scope: &Scope,
        query: ListQuery<ChartOfAccountFilter>,
    ) -> Result<Listed<ChartOfAccount>, Error> {
        self.view(scope, move |view| reference::chart_of_accounts(view, &query)).await
    }

    pub(in crate::store) async fn chart_of_account_lookup(
        &self,
        scope: &Scope,
        parent: i32,
        window: Window,
    ) -> Result<Option<Listed<ChartOfAccountLookup>>, Error> {
        self.view(scope, move |view| reference::chart_of_account_lookup(view, parent, window)).await
    }

    pub(in crate::store) async fn chart_of_account_types(
        &self,
        scope: &Scope,
        query: ListQuery,
    ) -> Result<Listed<ChartOfAccountType>, Error> {
        self.view(scope, move |view| reference::chart_of_account_types(view, &query)).await
    }

    pub(in crate::store) async fn chart_of_account_type_lookup(
        &self,
        scope: &Scope,
    ) -> Result<Listed<ChartOfAccountTypeLookup>, Error> {
        self.view(scope, reference::chart_of_account_type_lookup).await
    }

    pub(in crate::store) async fn assignees(
        &self,
        scope: &Scope,
        query: ListQuery<AssigneeFilter>,
    ) -> Result<Listed<Assignee>, Error> {
        self.view(scope, move |view| assignee::assignees(view, &query)).await
    }

    pub(in crate::store) async fn assignee_lookup(
        &self,
        scope: &Scope,
        query: ListQuery<AssigneeLookupFilter>,
    ) -> Result<Listed<AssigneeLookup>, Error> {
        self.view(scope, move |view| assignee::lookup(view, &query)).await
    }

    pub(in crate::store) async fn assignee_count(&self, scope: &Scope) -> Result<i32, Error> {
        self.view(scope, assignee::count).await
    }

    pub(in crate::store) async fn assignee_roles(
        &self,
        scope: &Scope,
        assignee: i32,
    ) -> Result<Option<Vec<RoleLookup>>, Error> {
        self.view(scope, move |view| assignee::roles(view, assignee)).await
    }

    pub(in crate::store) async fn settings(
        &self,
        scope: &Scope,
        key: Option<String>,
    ) -> Result<BTreeMap<String, Value>, Error> {
        self.view(scope, move |view| setting::settings(view, key.as_deref())).await
    }

    pub(in crate::store) async fn put_settings(
        &self,
        scope: &Scope,
        module: i32,
        settings: BTreeMap<String, Value>,
        condition: Condition<BTreeMap<String, Value>>,
    ) -> Result<(), Error> {
        self.change(scope, move |change| setting::put(change, module, &settings, &condition)).await
    }

    pub(in crate::store) async fn job_logs(
        &self,
        scope: &Scope,
        job: i64,
        query: ListQuery,
    ) -> Result<Option<Listed<JobLog>>, Error> {
        self.view(scope, move |view| job::logs(view, job, &query)).await
    }
}
