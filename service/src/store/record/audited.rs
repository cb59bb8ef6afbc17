//! The audit log's view of the records of an import.

use super::{Kind, Record, Resource, json};
use crate::{
    domain::change::Subject,
    store::{
        export::key,
        resource::{ACCOUNTS, AGENTS, CONTACTS},
    },
};

/// The subject of the change of a record; that of a nested one is the record that contains it.
pub fn subject(resource: &'static Resource, record: &Record) -> Subject {
    match above(resource) {
        Some(above) => Subject::new(above.kind, &record.values[0]),
        None => Subject::new(resource.kind, key(resource, record)),
    }
}

/// A record as JSON; a nested one as the list of the record that contains it.
pub fn text(resource: &'static Resource, record: Option<&Record>) -> Option<String> {
    let own = record.map(|record| json::text(resource, record));
    match above(resource) {
        Some(_) => Some(format!(r#"{{"{}":[{}]}}"#, resource.name, own.unwrap_or_default())),
        None => own,
    }
}

/// The resource of the record that contains a nested one.
fn above(resource: &Resource) -> Option<&'static Resource> {
    match resource.above().first()?.kind {
        Kind::Reference(above) => Some(above),
        _ => None,
    }
}

/// The account, contact or agent that a record belongs to: the position of its id, and its resource.
pub fn owner(resource: &Resource) -> Option<(usize, &'static Resource)> {
    resource.members.iter().enumerate().find_map(|(position, member)| match member.kind {
        Kind::Id if resource.table == ACCOUNTS.table => Some((position, &ACCOUNTS)),
        Kind::Reference(target) if member.name == "AccountId" && target.table == ACCOUNTS.table => {
            Some((position, target))
        }
        Kind::Reference(target) if [CONTACTS.table, AGENTS.table].contains(&target.table) => Some((position, target)),
        _ => None,
    })
}
