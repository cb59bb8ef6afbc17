//! What an import does to records, for the audit log.

use rusqlite::OptionalExtension;

use crate::{
    domain::change::Subject,
    store::{
        Error,
        record::{CONTACTS, Kind, Record, Resource, Value, json},
        sqlite::{change::Change, export},
    },
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
    let Some(owner) = owner(resource) else {
        let subject =
            Subject::new(kind(resource), key(resource, record)).of_account(account(change, resource, record)?);
        return change.note(&subject, before, Some(after));
    };
    // What belongs to a record is a change of that record, of which only this part is shown.
    let part = |record: Option<String>| format!(r#"{{"{}":[{}]}}"#, resource.name, record.unwrap_or_default());
    let subject = Subject::new(kind(owner), plain(&record.values[0])).of_account(account(change, resource, record)?);
    change.note(&subject, Some(part(before)), Some(part(Some(after))))
}

/// A record as JSON.
pub(super) fn text(resource: &Resource, record: &Record) -> String {
    let mut text = String::with_capacity(512);
    json::write(resource, record, &mut text);
    text
}

/// The resource that a record stands below.
fn owner(resource: &Resource) -> Option<&'static Resource> {
    match resource.above().first()?.kind {
        Kind::Reference(owner) => Some(owner),
        _ => None,
    }
}

/// One of the records: `AccountTypes` are each an `AccountType`, `Countries` a `Country`.
fn kind(resource: &Resource) -> String {
    let name = resource.name;
    match name.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None if name.ends_with("sses") || name.ends_with("ches") => name.trim_end_matches("es").to_owned(),
        None => name.trim_end_matches('s').to_owned(),
    }
}

fn key(resource: &Resource, record: &Record) -> String {
    let keys = resource.keys().map(|(position, _)| plain(&record.values[position]));
    keys.collect::<Vec<_>>().join("/")
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
    }
}

/// The account that a record is, names, or belongs to by its contact or agent.
fn account(change: &Change<'_>, resource: &Resource, record: &Record) -> Result<Option<i32>, Error> {
    let number = |value: &Value| match value {
        Value::Integer(number) => i32::try_from(*number).ok(),
        _ => None,
    };
    for (member, value) in resource.members.iter().zip(&record.values) {
        match (&member.kind, member.name) {
            (Kind::Id, _) if resource.table == "accounts" => return Ok(number(value)),
            (Kind::Reference(target), "AccountId") if target.table == "accounts" => return Ok(number(value)),
            (Kind::Reference(target), _) if target.table == CONTACTS.table || target.table == "agents" => {
                let sql = format!("SELECT account_id FROM {} WHERE tenant_id = ?1 AND id = ?2", target.table);
                let mut statement = change.connection().prepare_cached(&sql)?;
                let found: Option<Option<i32>> =
                    statement.query_row((change.tenant(), value), |row| row.get(0)).optional()?;
                return Ok(found.flatten());
            }
            _ => {}
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::{CLASSES, COMPANY_SETTINGS, COUNTRIES, PATCHES};

    #[test]
    fn kinds_are_in_the_singular() {
        let kinds = [&CLASSES, &COUNTRIES, &PATCHES, &COMPANY_SETTINGS].map(kind);
        assert_eq!(kinds, ["Class", "Country", "Patch", "CompanySetting"]);
    }
}
