//! The audit log and the change feed.

use generated_server::models::{ChangeAction, RecordChange};

use super::{backend::Backend, operation::*};
use crate::domain::change::{AuditEntry, Changes, Feed};

/// Maximum number of changes examined for one response, visible or not.
const REACH: i64 = 5000;

/// Size of a change in a response, without the texts of the record.
const BYTES: usize = 160;

/// Number of changes numbered in one write.
const NUMBERED: i64 = 10_000;

const CHANGE: &str = "sequence, recorded_on, kind, record_id, account_id, before IS NOT NULL, after IS NOT NULL";

impl TenantStore {
    /// The changes after a number, at most `limit`; without a number, from the oldest one that is kept. Changes of hidden accounts
    /// are left out.
    pub async fn changes(&self, after: Option<i64>, limit: u32) -> Result<Feed, Error> {
        self.number_changes().await?;
        self.view(Cost::Short, (after, limit), feed).await
    }

    /// The entries of the audit log after a number, in ascending order, at most `limit`.
    pub async fn audit_log(&self, after: i64, limit: u32) -> Result<Vec<AuditEntry>, Error> {
        self.number_changes().await?;
        self.view(Cost::Long, (after, limit), |view, (after, limit)| async move {
            let sql = format!(
                "SELECT {CHANGE}, token_id, token_name, assignee_id, operation, before, after FROM audit_log
                 WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3"
            );
            let rows = view.rows(Statement::new(sql, values![view.tenant.0, after, limit])).await?;
            rows.into_iter().map(entry).collect()
        })
        .await
    }

    /// Numbers new changes. On PostgreSQL readers do this, so that writers do not wait for each other.
    pub(super) async fn number_changes(&self) -> Result<(), Error> {
        if matches!(self.backend, Backend::Sqlite(_)) {
            return Ok(());
        }
        let is_behind = self.view(Cost::Short, (), |view, ()| async move {
            let sql = "SELECT 1 FROM audit_log WHERE tenant_id = $1 AND sequence IS NULL LIMIT 1";
            Ok(!view.rows(Statement::new(sql, values![view.tenant.0])).await?.is_empty())
        });
        if is_behind.await? {
            while self.change((), number).await? {}
        }
        Ok(())
    }
}

/// Numbers a batch of changes; `true` if there may be more. A concurrent call waits, and sees the rest.
async fn number(change: Change, (): ()) -> Result<bool, Error> {
    let sql = "WITH given AS (
                   UPDATE audit_log AS a SET sequence = n.sequence FROM (
                       SELECT entry, s.next - 1 + row_number() OVER (ORDER BY entry) AS sequence
                       FROM audit_log AS l JOIN sequences AS s ON s.tenant_id = l.tenant_id AND s.name = 'audit_log'
                       WHERE l.tenant_id = $1 AND l.sequence IS NULL ORDER BY entry LIMIT $2
                   ) AS n WHERE a.tenant_id = $1 AND a.entry = n.entry RETURNING a.sequence)
               UPDATE sequences SET next = next + (SELECT count(*) FROM given)
               WHERE tenant_id = $1 AND name = 'audit_log' RETURNING (SELECT count(*) FROM given)";
    // A separate statement, which sees what was committed while the first one waited.
    let number = Statement::new(sql, values![change.tenant.0, NUMBERED]);
    let [_, given] = change.session.run([change.hold("audit_log"), number]).await?;
    Ok(first::<i64>(&given)?.unwrap_or(0) >= NUMBERED)
}

async fn feed(view: View, (after, limit): (Option<i64>, u32)) -> Result<Feed, Error> {
    let end = |order: &str| {
        let of_tenant = "FROM audit_log WHERE tenant_id = $1 AND sequence IS NOT NULL";
        let sql = format!("SELECT sequence {of_tenant} ORDER BY sequence {order} LIMIT 1");
        Statement::new(sql, values![view.tenant.0])
    };
    let after = match after {
        Some(after) => after,
        None => first(&view.rows(end("ASC")).await?)?.unwrap_or(1) - 1,
    };
    let reach = after.saturating_add(REACH);
    let mut values = values![view.tenant.0, after, reach, limit];
    let mut is_seen = String::new();
    if let Some(accounts) = view.visible.accounts() {
        is_seen = format!("AND {}", view.session.dialect().among("account_id", "$5"));
        values.push(array(accounts.iter().copied()));
    }
    let sql = format!(
        "SELECT {CHANGE} FROM audit_log WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3 {is_seen}
         ORDER BY sequence LIMIT $4"
    );
    let [lowest, highest, rows] = view.session.run([end("ASC"), end("DESC"), Statement::new(sql, values)]).await?;
    let (lowest, highest) = first(&lowest)?.zip(first(&highest)?).unwrap_or((1, 0));
    if after < lowest - 1 {
        return Ok(Feed::Removed { first: lowest });
    }
    if after > highest {
        return Ok(Feed::Ahead { last: highest });
    }
    let mut changes = Vec::with_capacity(rows.len());
    let mut is_full = rows.len() >= limit as usize;
    for mut row in rows {
        let change = change(&mut row)?;
        match view.spend(BYTES + change.kind.len() + change.record_id.len()) {
            // End the page early; the rest follows.
            Err(Error::TooLarge) if !changes.is_empty() => {
                is_full = true;
                break;
            }
            spent => spent?,
        }
        changes.push(change);
    }
    let next_after = match changes.last() {
        Some(change) if is_full => change.sequence,
        _ => reach.min(highest),
    };
    Ok(Feed::Changes(Changes { changes, next_after, has_more: next_after < highest }))
}

fn change(row: &mut Row) -> Result<RecordChange, Error> {
    Ok(RecordChange {
        sequence: row.get(0)?,
        changed_on: row.get(1)?,
        kind: row.take(2)?,
        record_id: row.take(3)?,
        account_id: row.get(4)?,
        action: match (row.get(5)?, row.get(6)?) {
            (false, _) => ChangeAction::Created,
            (true, true) => ChangeAction::Updated,
            (true, false) => ChangeAction::Deleted,
        },
    })
}

fn entry(mut row: Row) -> Result<AuditEntry, Error> {
    let (token, name): (Option<i32>, Option<String>) = (row.get(7)?, row.take(8)?);
    Ok(AuditEntry {
        change: change(&mut row)?,
        token: token.zip(name),
        assignee: row.get(9)?,
        operation: row.take(10)?,
        before: row.take(11)?,
        after: row.take(12)?,
    })
}
