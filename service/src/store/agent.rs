//! Agents, their notes and their missing patches.

use generated_server::models::{AgentNote, MissingPatch};

use super::{
    operation::*,
    resource::{AGENT_NOTE, MISSING_PATCH},
};
use crate::domain::agent::{Agent, AgentQuery};

impl TenantStore {
    /// One agent.
    pub async fn agent(&self, id: &str) -> Result<Option<Agent>, Error> {
        self.view(Cost::Short, id.to_owned(), |view, id| async move { find(&view, &id).await }).await
    }

    /// The notes of all agents.
    pub async fn agent_notes(&self, query: AgentQuery) -> Result<Listed<AgentNote>, Error> {
        let mut conditions = self.conditions();
        if let Some(accounts) = self.scope.visible.accounts() {
            let is_seen = conditions.dialect.among("account_id", "?");
            let sql = format!("agent_id IN (SELECT id FROM agents WHERE tenant_id = $1 AND {is_seen})");
            conditions.add(&sql, [array(accounts.iter().copied())]);
        }
        let statements = AGENT_NOTE.asked(conditions, &query);
        self.view(Cost::Long, statements, |view, statements| async move {
            Ok(view.counted(&AGENT_NOTE, Exclude::default(), statements).await?.without_ids())
        })
        .await
    }

    /// The missing patches of an agent; `None` if the agent does not exist.
    pub async fn missing_patches(
        &self,
        agent: &str,
        hide_denied: bool,
        query: AgentQuery,
    ) -> Result<Option<Listed<MissingPatch>>, Error> {
        let mut conditions = self.conditions().of("agent_id", agent);
        if hide_denied {
            conditions.add("status <> 1", []);
        }
        let statements = MISSING_PATCH.asked(conditions, &query);
        self.view(Cost::Long, (agent.to_owned(), statements), |view, (agent, statements)| async move {
            if find(&view, &agent).await?.is_none() {
                return Ok(None);
            }
            Ok(Some(view.counted(&MISSING_PATCH, Exclude::default(), statements).await?.without_ids()))
        })
        .await
    }
}

/// The agent, locked against other writes to its records.
pub(super) async fn held(view: &View, id: &str) -> Result<Option<Agent>, Error> {
    let sql = format!("SELECT 1 FROM agents WHERE tenant_id = $1 AND id = $2{}", view.session.dialect().for_update());
    let [_, mut rows] = view.session.run([Statement::new(sql, values![view.tenant.0, id]), wanted(view, id)]).await?;
    rows.pop().map_or(Ok(None), |row| seen(view, &row))
}

/// The agent of a row, with columns from `first` on.
pub(super) fn read(row: &Row, first: usize) -> Result<Agent, Error> {
    Ok(Agent {
        id: row.get(first)?,
        name: row.get(first + 1)?,
        time_zone: row.get(first + 2)?,
        account: row.get(first + 3)?,
        is_online: row.get(first + 4)?,
    })
}

async fn find(view: &View, id: &str) -> Result<Option<Agent>, Error> {
    view.rows(wanted(view, id)).await?.pop().map_or(Ok(None), |row| seen(view, &row))
}

/// Selects an agent: a row for a missing one, too, so that a hidden one takes no longer.
fn wanted(view: &View, id: &str) -> Statement {
    let sql = "SELECT a.id, a.name, a.time_zone, a.account_id, a.is_online
               FROM (SELECT 1) AS one LEFT JOIN agents AS a ON a.tenant_id = $1 AND a.id = $2";
    Statement::new(sql, values![view.tenant.0, id])
}

/// The agent, if visible: one without an account is visible only to callers who see all accounts.
fn seen(view: &View, row: &Row) -> Result<Option<Agent>, Error> {
    let is_visible = match row.get(3)? {
        Some(account) => view.visible.includes(account),
        None => !view.visible.is_limited() && row.get::<Option<String>>(0)?.is_some(),
    };
    if is_visible { read(row, 0).map(Some) } else { Ok(None) }
}
