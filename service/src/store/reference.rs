//! Reference data below other records, and assignees of accounts.

use generated_server::models::{AssigneeLookup, ChartOfAccountLookup, RoleLookup};

use super::{
    operation::*,
    resource::{ASSIGNEE_LOOKUP, CHART_OF_ACCOUNT_LOOKUP, ROLE_LOOKUP},
};

impl TenantStore {
    /// The child entries in the chart of accounts; `None` if the entry does not exist.
    pub async fn chart_of_account_lookup(
        &self,
        parent: i32,
        query: ListQuery,
    ) -> Result<Option<Listed<ChartOfAccountLookup>>, Error> {
        self.list_below(("chart_of_accounts", "parent_id"), parent, &CHART_OF_ACCOUNT_LOOKUP, query).await
    }

    /// Assignees, of an account if one is given: its manager, and the members of its team.
    pub async fn assignee_lookup(
        &self,
        query: ListQuery,
        account: Option<i32>,
    ) -> Result<Listed<AssigneeLookup>, Error> {
        let mut conditions = self.conditions();
        if let Some(account) = account.map(|id| self.scope.visible.sought(id)) {
            let sql = "id IN (SELECT manager_id FROM accounts WHERE tenant_id = $1 AND id = ? UNION
                       SELECT assignee_id FROM account_team WHERE tenant_id = $1 AND account_id = ?)";
            conditions.add(sql, [account.into(), account.into()]);
        }
        self.page(&ASSIGNEE_LOOKUP, conditions, query, plain).await
    }

    /// The roles of an assignee; `None` if the assignee does not exist.
    pub async fn assignee_roles(&self, assignee: i32) -> Result<Option<Listed<RoleLookup>>, Error> {
        self.list_below(("assignees", "assignee_id"), assignee, &ROLE_LOOKUP, ListQuery::default()).await
    }
}
