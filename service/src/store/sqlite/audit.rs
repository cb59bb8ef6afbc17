//! What has changed, who has changed it, and how: written with the change itself.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row};

use super::{change::Change, view::View};
use crate::{
    domain::{
        caller::Visibility,
        change::{Action, AuditEntry, ChangeQuery, Changes, Feed, Subject},
    },
    store::{Error, sql::array},
};

/// At most so many changes are looked at for one answer, whoever may see them.
const REACH: i64 = 5000;

/// At most so many entries are removed in one write, so that others do not wait for long.
const BATCH: u32 = 1000;

const CHANGE: &str = "sequence, recorded_on, kind, record_id, account_id, before IS NOT NULL, after IS NOT NULL";

impl Change<'_> {
    /// Notes what becomes of a record, unless it stays what it is.
    pub(super) fn note(&self, subject: &Subject, before: Option<String>, after: Option<String>) -> Result<(), Error> {
        if before == after {
            return Ok(());
        }
        let sql = "INSERT INTO audit_log (tenant_id, sequence, recorded_on, kind, record_id, account_id, token_id, \
                   token_name, assignee_id, operation, before, after)
                   VALUES (?1, 1 + coalesce((SELECT sequence FROM audit_log WHERE tenant_id = ?1
                   ORDER BY sequence DESC LIMIT 1), 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        let token = self.actor.token.as_ref();
        self.connection().prepare_cached(sql)?.execute((
            self.tenant(),
            self.now(),
            &*subject.kind,
            &subject.record,
            subject.account,
            token.map(|(id, _)| id),
            token.map(|(_, name)| &**name),
            self.assignee,
            self.actor.operation,
            before,
            after,
        ))?;
        Ok(())
    }
}

/// The changes behind a number.
pub(super) fn feed(view: &View<'_>, query: &ChangeQuery) -> Result<Feed, Error> {
    let Some((first, last)) = ends(view)? else {
        let changes = Changes { changes: Vec::new(), next_after: query.after, has_more: false };
        return Ok(Feed::Changes(changes));
    };
    if query.after < first - 1 {
        return Ok(Feed::Removed { first });
    }
    let reach = query.after.saturating_add(REACH).min(last);
    let accounts = match &query.visible {
        Visibility::All => None,
        Visibility::Accounts(accounts) => Some(array(accounts)),
    };
    let sql = format!(
        "SELECT {CHANGE} FROM audit_log WHERE tenant_id = ?1 AND sequence > ?2 AND sequence <= ?3
         AND (?4 IS NULL OR account_id IN (SELECT value FROM json_each(?4))) ORDER BY sequence LIMIT ?5"
    );
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query((view.tenant.0, query.after, reach, accounts, query.limit))?;
    let mut changes = Vec::new();
    let mut is_full = false;
    while let Some(row) = rows.next()? {
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
        _ => reach.max(query.after),
    };
    Ok(Feed::Changes(Changes { changes, next_after, has_more: next_after < last }))
}

/// The lowest and the highest number.
fn ends(view: &View<'_>) -> Result<Option<(i64, i64)>, Error> {
    let end = |order: &str| -> Result<Option<i64>, Error> {
        let sql = format!("SELECT sequence FROM audit_log WHERE tenant_id = ?1 ORDER BY sequence {order} LIMIT 1");
        Ok(view.connection.prepare_cached(&sql)?.query_row([view.tenant.0], |row| row.get(0)).optional()?)
    };
    Ok(end("ASC")?.zip(end("DESC")?))
}

fn change(row: &Row<'_>) -> Result<crate::domain::change::Change, Error> {
    Ok(crate::domain::change::Change {
        sequence: row.get(0)?,
        on: Timestamp::from_microsecond(row.get(1)?).map_err(Error::database)?,
        kind: row.get(2)?,
        record: row.get(3)?,
        account: row.get(4)?,
        action: Action::of(row.get(5)?, row.get(6)?),
    })
}

/// The entries behind a number, lowest first.
pub(super) fn entries(view: &View<'_>, after: i64, limit: u32) -> Result<Vec<AuditEntry>, Error> {
    let sql = format!(
        "SELECT {CHANGE}, token_id, token_name, assignee_id, operation, before, after FROM audit_log
         WHERE tenant_id = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3"
    );
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query((view.tenant.0, after, limit))?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let (token, name): (Option<i32>, Option<String>) = (row.get(7)?, row.get(8)?);
        entries.push(AuditEntry {
            change: change(row)?,
            token: token.zip(name),
            assignee: row.get(9)?,
            operation: row.get(10)?,
            before: row.get(11)?,
            after: row.get(12)?,
        });
    }
    Ok(entries)
}

/// Removes some entries from before that moment, oldest first, but never the last one; answers how many.
pub(super) fn forget(change: &Change<'_>, before: Timestamp) -> Result<u32, Error> {
    let sql = "DELETE FROM audit_log WHERE tenant_id = ?1
               AND sequence < (SELECT max(sequence) FROM audit_log WHERE tenant_id = ?1)
               AND sequence IN (SELECT sequence FROM (SELECT sequence, recorded_on FROM audit_log
                   WHERE tenant_id = ?1 ORDER BY sequence LIMIT ?3) WHERE recorded_on < ?2)";
    let removed =
        change.connection().prepare_cached(sql)?.execute((change.tenant(), before.as_microsecond(), BATCH))?;
    Ok(u32::try_from(removed).unwrap_or(u32::MAX))
}
