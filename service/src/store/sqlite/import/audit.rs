//! What an import does to records, for the audit log.

use rusqlite::OptionalExtension;

use crate::store::{
    Error,
    record::{
        Record, Resource,
        audited::{self, Owner, text},
    },
    sqlite::{change::Change, export},
};

/// The record that is there with the key of this one, as JSON.
pub(super) fn present(
    change: &Change<'_>,
    resource: &'static Resource,
    record: &Record,
) -> Result<Option<String>, Error> {
    let found = export::one(&change.view, resource, &record.values)?;
    Ok(found.map(|found| text(resource, &found)))
}

/// Notes a record that was written, and was this before.
pub(super) fn note(
    change: &Change<'_>,
    resource: &'static Resource,
    record: &Record,
    before: Option<String>,
    after: String,
) -> Result<(), Error> {
    let account = match audited::account(resource, record) {
        Owner::None => None,
        Owner::Account(account) => Some(account),
        Owner::Of(target, key) => {
            let sql = format!("SELECT account_id FROM {} WHERE tenant_id = ?1 AND id = ?2", target.table);
            let mut statement = change.connection().prepare_cached(&sql)?;
            let found: Option<Option<i32>> =
                statement.query_row((change.tenant(), key), |row| row.get(0)).optional()?;
            found.flatten()
        }
    };
    let (subject, before, after) = audited::change(resource, record, account, before, after);
    change.note(&subject, before, after)
}
