//! The audit log's view of the records of an import.

use super::super::export::key;
use super::{CONTACTS, Kind, Place, Record, Resource, Value, json};
use crate::domain::change::Subject;

/// The account that a record belongs to.
#[derive(Clone, Copy, Debug)]
pub enum Owner<'a> {
    /// None.
    None,
    /// This account.
    Account(i32),
    /// The account of a contact or agent with this key.
    Of(&'static Resource, &'a Value),
}

impl PartialEq for Owner<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Account(one), Self::Account(other)) => one == other,
            (Self::Of(one, key), Self::Of(other, other_key)) => one.name == other.name && key == other_key,
            _ => false,
        }
    }
}

/// The change of a record, or of the record that contains it: the subject, and the record before and after as
/// JSON.
pub fn change(
    resource: &'static Resource,
    record: &Record,
    account: Option<i32>,
    before: Option<String>,
    after: String,
) -> (Subject, Option<String>, Option<String>) {
    let Some(owner) = owner(resource) else {
        let subject = Subject::new(resource.kind, key(resource, record)).of_account(account);
        return (subject, before, Some(after));
    };
    let part = |record: Option<String>| format!(r#"{{"{}":[{}]}}"#, resource.name, record.unwrap_or_default());
    let subject = Subject::new(owner.kind, &record.values[0]).of_account(account);
    (subject, Some(part(before)), Some(part(Some(after))))
}

/// A record as JSON.
pub fn text(resource: &Resource, record: &Record) -> String {
    let mut text = String::with_capacity(512);
    json::write(resource, record, &mut text);
    text
}

/// The numbers and texts of a record in the form of [`text`].
pub fn parsed(resource: &Resource, text: &str) -> Record {
    let members: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap_or_default();
    let value = |name: &str| match members.get(name) {
        Some(serde_json::Value::String(text)) => Value::Text(text.clone()),
        Some(number) => number.as_i64().map_or(Value::Null, Value::Integer),
        None => Value::Null,
    };
    let values = resource.members.iter().map(|member| value(member.name)).collect();
    Record { place: Place::default(), values, below: Vec::new() }
}

/// The resource of the parent record.
fn owner(resource: &Resource) -> Option<&'static Resource> {
    match resource.above().first()?.kind {
        Kind::Reference(owner) => Some(owner),
        _ => None,
    }
}

/// The account of a record: itself, one that it names, or that of its contact or agent.
pub fn account<'a>(resource: &Resource, record: &'a Record) -> Owner<'a> {
    let number = |value: &Value| match value {
        Value::Integer(number) => i32::try_from(*number).map_or(Owner::None, Owner::Account),
        _ => Owner::None,
    };
    for (member, value) in resource.members.iter().zip(&record.values) {
        match (&member.kind, member.name) {
            (Kind::Id, _) if resource.table == "accounts" => return number(value),
            (Kind::Reference(target), "AccountId") if target.table == "accounts" => return number(value),
            (Kind::Reference(target), _) if target.table == CONTACTS.table || target.table == "agents" => {
                return Owner::Of(target, value);
            }
            _ => {}
        }
    }
    Owner::None
}
