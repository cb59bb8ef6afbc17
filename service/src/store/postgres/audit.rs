//! What has changed, who has changed it, and how: numbered and read.

use jiff::Timestamp;
use tokio_postgres::Row;

use super::{
    change::{Change, hold},
    session::{Query, Session, parameters},
    view::View,
};
use crate::{
    domain::{
        caller::Visibility,
        change::{self, Action, AuditEntry, ChangeQuery, Changes, Feed},
        tenant::TenantId,
    },
    store::{
        Error,
        sql::{Dialect, array},
    },
};

/// At most so many changes are looked at for one answer, whoever may see them.
const REACH: i64 = 5000;

/// At most so many entries are removed in one write, so that others do not wait for long.
const BATCH: u32 = 1000;

/// So many changes are numbered in one write.
const NUMBERED: i64 = 10_000;

const CHANGE: &str = "sequence, recorded_on, kind, record_id, account_id, before IS NOT NULL, after IS NOT NULL";

/// Whether there are changes without a number.
pub(super) async fn is_behind(view: &View) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT 1 FROM audit_log WHERE tenant_id = $1 AND sequence IS NULL)";
    let rows = view.session.rows(Query::new(sql, parameters![view.tenant.0])).await?;
    Ok(rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(false))
}

/// Gives some of the changes that have none their numbers; answers whether there may be more. Whoever does the same meanwhile
/// waits, and sees what is left.
pub(super) async fn number(session: &Session, tenant: TenantId) -> Result<bool, Error> {
    let lock = hold(tenant.0, "audit_log");
    let sql = "WITH given AS (
                   UPDATE audit_log AS a SET sequence = n.sequence FROM (
                       SELECT entry, s.next - 1 + row_number() OVER (ORDER BY entry) AS sequence
                       FROM audit_log AS l JOIN sequences AS s ON s.tenant_id = l.tenant_id AND s.name = 'audit_log'
                       WHERE l.tenant_id = $1 AND l.sequence IS NULL ORDER BY entry LIMIT $2
                   ) AS n WHERE a.tenant_id = $1 AND a.entry = n.entry RETURNING a.sequence)
               UPDATE sequences SET next = next + (SELECT count(*) FROM given)
               WHERE tenant_id = $1 AND name = 'audit_log' RETURNING (SELECT count(*) FROM given)";
    // A statement of its own: it sees what was committed while the first one waited.
    let answers = session.finish(&[lock, Query::new(sql, parameters![tenant.0, NUMBERED])]).await?;
    let given: i64 = answers.iter().flatten().next_back().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
    Ok(given >= NUMBERED)
}

/// The changes behind a number.
pub(super) async fn feed(view: View, query: ChangeQuery) -> Result<Feed, Error> {
    let sql = "SELECT min(sequence), max(sequence) FROM audit_log WHERE tenant_id = $1";
    let ends = Query::new(sql, parameters![view.tenant.0]);
    let (accounts, is_seen) = match &query.visible {
        Visibility::All => (None, String::new()),
        Visibility::Accounts(accounts) => {
            (Some(array(accounts)), format!("AND {}", Dialect::Postgres.among("account_id", "$5")))
        }
    };
    let reach = query.after.saturating_add(REACH);
    let sql = format!(
        "SELECT {CHANGE} FROM audit_log WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3 {is_seen}
         ORDER BY sequence LIMIT $4"
    );
    let mut values = parameters![view.tenant.0, query.after, reach, query.limit];
    values.extend(accounts.as_ref().map(Into::into));
    let [ends, rows] = view.session.run([ends, Query::new(sql, values)]).await?;
    let ends: Option<(Option<i64>, Option<i64>)> =
        ends.first().map(|row| Ok::<_, Error>((row.try_get(0)?, row.try_get(1)?))).transpose()?;
    let Some((Some(first), Some(last))) = ends else {
        let changes = Changes { changes: Vec::new(), next_after: query.after, has_more: false };
        return Ok(Feed::Changes(changes));
    };
    if query.after < first - 1 {
        return Ok(Feed::Removed { first });
    }
    let mut changes = Vec::with_capacity(rows.len());
    let mut is_full = false;
    for row in &rows {
        let change = change(row)?;
        match view.spend(change.bytes()) {
            // The page ends early; the rest is behind it.
            Err(Error::TooLarge) if !changes.is_empty() => {
                is_full = true;
                break;
            }
            spent => spent?,
        }
        changes.push(change);
    }
    is_full |= changes.len() >= query.limit as usize;
    // Whoever is ahead of the numbers stays there.
    let next_after = match changes.last() {
        Some(change) if is_full => change.sequence,
        _ => reach.min(last).max(query.after),
    };
    Ok(Feed::Changes(Changes { changes, next_after, has_more: next_after < last }))
}

fn change(row: &Row) -> Result<change::Change, Error> {
    Ok(change::Change {
        sequence: row.try_get(0)?,
        on: Timestamp::from_microsecond(row.try_get(1)?).map_err(Error::database)?,
        kind: row.try_get(2)?,
        record: row.try_get(3)?,
        account: row.try_get(4)?,
        action: Action::of(row.try_get(5)?, row.try_get(6)?),
    })
}

/// The entries behind a number, lowest first.
pub(super) async fn entries(view: View, after: i64, limit: u32) -> Result<Vec<AuditEntry>, Error> {
    let sql = format!(
        "SELECT {CHANGE}, token_id, token_name, assignee_id, operation, before, after FROM audit_log
         WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3"
    );
    let rows = view.session.rows(Query::new(sql, parameters![view.tenant.0, after, limit])).await?;
    let entry = |row: &Row| {
        let (token, name): (Option<i32>, Option<String>) = (row.try_get(7)?, row.try_get(8)?);
        Ok(AuditEntry {
            change: change(row)?,
            token: token.zip(name),
            assignee: row.try_get(9)?,
            operation: row.try_get(10)?,
            before: row.try_get(11)?,
            after: row.try_get(12)?,
        })
    };
    rows.iter().map(entry).collect()
}

/// Removes some entries from before that moment, oldest first, but never the last one; answers how many.
pub(super) async fn forget(change: Change, before: Timestamp) -> Result<u32, Error> {
    let sql = "DELETE FROM audit_log WHERE tenant_id = $1
               AND sequence < (SELECT max(sequence) FROM audit_log WHERE tenant_id = $1)
               AND entry = ANY (ARRAY(SELECT entry FROM (SELECT entry, recorded_on FROM audit_log
                   WHERE tenant_id = $1 AND sequence IS NOT NULL ORDER BY sequence LIMIT $3) AS o WHERE recorded_on < $2))
               RETURNING 1";
    let removed = change.rows(sql, parameters![change.tenant(), before.as_microsecond(), BATCH]).await?;
    Ok(u32::try_from(removed.len()).unwrap_or(u32::MAX))
}
