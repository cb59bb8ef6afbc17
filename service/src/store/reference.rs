//! Reference data and assignees.

use generated_server::models::{
    AccountCodeLookup, AccountTypeLookup, AgentProcedure, ApprovalRouteLookup, Assignee, AssigneeLookup,
    ChartOfAccount, ChartOfAccountLookup, ChartOfAccountType, ChartOfAccountTypeLookup, ColorLookup, RoleLookup,
};

use super::{
    operation::*,
    resource::reference::{
        self, ACCOUNT_CODE, ACCOUNT_CODES, ACCOUNT_TYPE, ACCOUNT_TYPES, AGENT_PROCEDURE, AGENT_PROCEDURES,
        APPROVAL_ROUTE, APPROVAL_ROUTES, ASSIGNEE, ASSIGNEE_LOOKUP, ASSIGNEES, CHART_OF_ACCOUNT,
        CHART_OF_ACCOUNT_LOOKUP, CHART_OF_ACCOUNT_TYPE, CHART_OF_ACCOUNT_TYPE_LOOKUP, CHART_OF_ACCOUNT_TYPES,
        CHART_OF_ACCOUNTS, COLOR, COLORS, ROLE_LOOKUP,
    },
};
use crate::domain::reference::{
    AccountCodeFilter, AgentProcedureFilter, AssigneeFilter, AssigneeLookupFilter, ChartOfAccountFilter,
};

impl TenantStore {
    /// Account codes; see `shape::ACCOUNT_CODE`.
    pub async fn account_codes(&self, query: ListQuery<AccountCodeFilter>) -> Result<Listed<AccountCodeLookup>, Error> {
        let mut conditions = self.conditions();
        conditions.contains("name_folded", query.filter.name.as_deref());
        self.list(&ACCOUNT_CODES, &ACCOUNT_CODE, conditions, query).await
    }

    /// Every account type.
    pub async fn account_types(&self) -> Result<Vec<AccountTypeLookup>, Error> {
        Ok(self.list(&ACCOUNT_TYPES, &ACCOUNT_TYPE, self.conditions(), all()).await?.records)
    }

    /// Every approval route.
    pub async fn approval_routes(&self) -> Result<Vec<ApprovalRouteLookup>, Error> {
        Ok(self.list(&APPROVAL_ROUTES, &APPROVAL_ROUTE, self.conditions(), all()).await?.records)
    }

    /// The procedures of an integration type.
    pub async fn agent_procedures(
        &self,
        integration_type: i32,
        filter: AgentProcedureFilter,
    ) -> Result<Vec<AgentProcedure>, Error> {
        let mut conditions = self.conditions().of("integration_type_id", integration_type);
        conditions.equal("id", filter.id);
        conditions.contains("name_folded", filter.name.as_deref());
        Ok(self.list(&AGENT_PROCEDURES, &AGENT_PROCEDURE, conditions, all()).await?.records)
    }

    /// The colors of a module, or of all.
    pub async fn colors(&self, module: Option<i32>) -> Result<Vec<ColorLookup>, Error> {
        let mut conditions = self.conditions();
        conditions.equal("module_id", module);
        Ok(self.list(&COLORS, &COLOR, conditions, all()).await?.records)
    }

    /// The chart of accounts; see `shape::CHART_OF_ACCOUNT`.
    pub async fn chart_of_accounts(
        &self,
        query: ListQuery<ChartOfAccountFilter>,
    ) -> Result<Listed<ChartOfAccount>, Error> {
        let mut conditions = self.conditions();
        reference::chart_of_accounts(&mut conditions, &query.filter);
        self.list(&CHART_OF_ACCOUNTS, &CHART_OF_ACCOUNT, conditions, query).await
    }

    /// The child entries in the chart of accounts; `None` if there is no such entry.
    pub async fn chart_of_account_lookup(
        &self,
        parent: i32,
        window: Window,
    ) -> Result<Option<Listed<ChartOfAccountLookup>>, Error> {
        let (mut entry, below) = (self.conditions(), self.conditions().of("parent_id", parent));
        entry.equal("id", Some(parent));
        let entries = self.list(&CHART_OF_ACCOUNTS, &CHART_OF_ACCOUNT_LOOKUP, entry, all()).await?;
        if entries.total == 0 {
            return Ok(None);
        }
        let query: ListQuery = ListQuery { window, ..all() };
        self.list(&CHART_OF_ACCOUNTS, &CHART_OF_ACCOUNT_LOOKUP, below, query).await.map(Some)
    }

    /// The types of the chart of accounts; see `shape::CHART_OF_ACCOUNT_TYPE`.
    pub async fn chart_of_account_types(&self, query: ListQuery) -> Result<Listed<ChartOfAccountType>, Error> {
        self.list(&CHART_OF_ACCOUNT_TYPES, &CHART_OF_ACCOUNT_TYPE, self.conditions(), query).await
    }

    /// Every type of the chart of accounts.
    pub async fn chart_of_account_type_lookup(&self) -> Result<Listed<ChartOfAccountTypeLookup>, Error> {
        self.list(&CHART_OF_ACCOUNT_TYPES, &CHART_OF_ACCOUNT_TYPE_LOOKUP, self.conditions(), all()).await
    }

    /// Active assignees; see `shape::ASSIGNEE`.
    pub async fn assignees(&self, query: ListQuery<AssigneeFilter>) -> Result<Listed<Assignee>, Error> {
        let mut conditions = self.conditions();
        reference::assignees(&mut conditions, &query.filter);
        self.list(&ASSIGNEES, &ASSIGNEE, conditions, query).await
    }

    /// Active assignees; see `shape::ASSIGNEE_LOOKUP`.
    pub async fn assignee_lookup(
        &self,
        query: ListQuery<AssigneeLookupFilter>,
    ) -> Result<Listed<AssigneeLookup>, Error> {
        let mut conditions = self.conditions();
        let account = query.filter.account_id.map(|id| if self.scope.visible.includes(id) { id } else { 0 });
        reference::assignee_lookup(&mut conditions, &query.filter, account);
        self.list(&ASSIGNEES, &ASSIGNEE_LOOKUP, conditions, query).await
    }

    /// The number of active assignees.
    pub async fn assignee_count(&self) -> Result<i32, Error> {
        let mut conditions = self.conditions();
        conditions.active(Some(true));
        let none = ListQuery { window: Window { limit: Some(0), ..Window::default() }, ..all() };
        let listed = self.list(&ASSIGNEES, &ASSIGNEE, conditions, none).await?;
        Ok(i32::try_from(listed.total).unwrap_or(i32::MAX))
    }

    /// The roles of an assignee; `None` if there is no such assignee.
    pub async fn assignee_roles(&self, assignee: i32) -> Result<Option<Vec<RoleLookup>>, Error> {
        self.view(Cost::Short, assignee, |view, assignee| async move {
            let sql = "SELECT 1 FROM assignees WHERE tenant_id = $1 AND id = $2";
            let key = values![view.tenant.0, assignee];
            let roles = "assignee_roles AS a JOIN roles AS r ON r.tenant_id = a.tenant_id AND r.id = a.role_id";
            let select = ROLE_LOOKUP.select("r.id", Exclude::default());
            let roles =
                format!("SELECT {select} FROM {roles} WHERE a.tenant_id = $1 AND a.assignee_id = $2 ORDER BY r.id");
            let statements = vec![Statement::new(sql, key.clone()), Statement::new(roles, key)];
            let (names, mut answers) = view.named(statements).await?;
            let roles = answers.pop().unwrap_or_default();
            if answers.pop().unwrap_or_default().is_empty() {
                return Ok(None);
            }
            let roles = ROLE_LOOKUP.read(&view, &names, Exclude::default(), roles)?;
            Ok(Some(roles.into_iter().map(|(_, role)| role).collect()))
        })
        .await
    }
}

/// A complete list, by id.
fn all() -> ListQuery {
    ListQuery::default()
}
