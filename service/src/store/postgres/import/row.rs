//! Records as rows of their tables.

use serde_json::{Map, Value as Json, json};

use crate::store::{
    postgres::export::{plain, texts},
    record::{Derived, Place, Record, Resource, Value},
    sql::fold,
};

/// Columns with a folded twin that only PostgreSQL has.
const FOLDED: &[(&str, &str)] = &[
    ("agent_notes", "description"),
    ("patches", "description"),
    ("patches", "kb_article"),
    ("patches", "security_bulletin_link"),
    ("patches", "product"),
];

/// What tells a record from others.
pub(super) fn key(resource: &Resource, record: &Record) -> String {
    let keys: Vec<_> = resource.keys().map(|(position, _)| record.values[position].clone()).collect();
    texts(&keys)
}

/// The position of the member that tells a record from others below the same one.
pub(super) fn own(resource: &Resource) -> usize {
    resource.keys().last().map_or(0, |(position, _)| position)
}

/// A record as a row of its table. Its parent of the same kind is written later.
pub(super) fn row(tenant: i32, resource: &Resource, record: &Record) -> Json {
    let mut columns = Map::new();
    columns.insert("tenant_id".into(), json!(tenant));
    let text = |name: &str| {
        let position = resource.members.iter().position(|member| member.name == name)?;
        match &record.values[position] {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        }
    };
    for (position, (member, value)) in resource.members.iter().zip(&record.values).enumerate() {
        let value = if resource.parent() == Some(position) { &Value::Null } else { value };
        columns.insert(member.column.into(), plain(value));
        if member.is_folded || FOLDED.contains(&(resource.table, member.column)) {
            let folded = if let Value::Text(text) = value { json!(fold(text)) } else { Json::Null };
            columns.insert(format!("{}_folded", member.column), folded);
        }
    }
    let whole = || whole_name(text("FirstName"), text("LastName"));
    match resource.derived {
        Derived::Nothing => {}
        Derived::FoldedName => {
            columns.insert("name_folded".into(), json!(fold(&whole())));
        }
        Derived::Name => {
            let name = text("Name").map_or_else(whole, str::to_owned);
            columns.insert("name_folded".into(), json!(fold(&name)));
            columns.insert("name".into(), json!(name));
        }
    }
    Json::Object(columns)
}

/// What writes records in the place of those with their keys; parameter 1 is their rows.
pub(super) fn upsert(resource: &Resource) -> String {
    let empty =
        Record { place: Place::default(), values: vec![Value::Null; resource.members.len()], below: Vec::new() };
    let Json::Object(row) = row(0, resource, &empty) else { return String::new() };
    let mut key = vec!["tenant_id"];
    if !resource.members.iter().any(|member| member.is_key) {
        key.extend(resource.above().iter().map(|member| member.column));
    }
    key.extend(resource.keys().map(|(_, member)| member.column));
    let columns: Vec<_> = row.keys().map(String::as_str).collect();
    let set: Vec<_> = columns.iter().filter(|column| !key.contains(column)).collect();
    let set: Vec<_> = set.iter().map(|column| format!("{column} = excluded.{column}")).collect();
    let action = if set.is_empty() { "NOTHING".to_owned() } else { format!("UPDATE SET {}", set.join(", ")) };
    let (table, columns) = (resource.table, columns.join(", "));
    format!(
        "INSERT INTO {table} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{table}, $1)
         ON CONFLICT ({}) DO {action}",
        key.join(", ")
    )
}

/// First and last name.
fn whole_name(first: Option<&str>, last: Option<&str>) -> String {
    format!("{} {}", first.unwrap_or_default(), last.unwrap_or_default()).trim().to_owned()
}
