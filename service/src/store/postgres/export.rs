//! Reading records, each with all that stands inside of it.

use std::collections::HashMap;

use serde_json::{Map, json};
use tokio_postgres::Row;

use super::{
    session::{Query, Session, parameters},
    value::{Parameter, owned},
};
use crate::store::{
    Error,
    record::{Place, Record, Resource, Value},
};

/// So many records are read at once.
const BATCH: u32 = 500;

/// Gives `visit` all records of a resource, some at a time, until it says false.
pub(super) async fn each(
    session: &Session,
    tenant: i32,
    resource: &'static Resource,
    mut visit: impl FnMut(Vec<Record>) -> bool,
) -> Result<(), Error> {
    // Named after the table: a statement that fetches is kept for the columns that it has had first.
    let cursor = format!("all_{}", resource.table);
    let sql = format!("DECLARE {cursor} NO SCROLL CURSOR FOR {}", select(resource, ""));
    session.rows(Query::new(sql, parameters![tenant])).await?;
    loop {
        let rows = session.rows(Query::new(format!("FETCH {BATCH} FROM {cursor}"), [])).await?;
        let is_last = rows.len() < BATCH as usize;
        let records = whole(session, tenant, resource, &rows).await?;
        if !visit(records) || is_last {
            break;
        }
    }
    session.rows(Query::new(format!("CLOSE {cursor}"), [])).await?;
    Ok(())
}

/// The records that are there with the keys that stand among these values.
pub(super) async fn present<'v>(
    session: &Session,
    tenant: i32,
    resource: &'static Resource,
    values: impl Iterator<Item = &'v [Value]>,
) -> Result<Vec<Record>, Error> {
    let (positions, columns): (Vec<_>, Vec<_>) =
        resource.keys().map(|(position, member)| (position, member.column)).unzip();
    let keys = values.map(|values| positions.iter().map(|position| values[*position].clone()).collect());
    let rows = session.rows(matching(resource, tenant, &columns, keys.collect())).await?;
    whole(session, tenant, resource, &rows).await
}

/// For each of these keys whether there is such a record, and the record it stands below, or 0 if below none.
pub(super) async fn find(
    session: &Session,
    tenant: i32,
    resource: &Resource,
    keys: &[Value],
) -> Result<Vec<Option<Value>>, Error> {
    let above = resource.above().last().map_or("0::bigint".to_owned(), |member| format!("t.{}", member.column));
    let own = resource.keys().last().map_or("id", |(_, member)| member.column);
    let table = resource.table;
    let sql = format!(
        "SELECT t.{own}, {above} FROM {table} AS t
         JOIN json_populate_recordset(NULL::{table}, $2) AS k ON k.{own} = t.{own} WHERE t.tenant_id = $1"
    );
    let wanted = keys.iter().map(|key| json!({ own: plain(key) })).collect();
    let rows = session.rows(Query::new(sql, parameters![tenant, serde_json::Value::Array(wanted).to_string()])).await?;
    let mut found = HashMap::new();
    for row in &rows {
        found.insert(text(&owned(row, 0)?), owned(row, 1)?);
    }
    Ok(keys.iter().map(|key| found.get(&text(key)).cloned()).collect())
}

/// The records of rows, with all that stands inside of them.
async fn whole(
    session: &Session,
    tenant: i32,
    resource: &'static Resource,
    rows: &[Row],
) -> Result<Vec<Record>, Error> {
    let mut records = Vec::with_capacity(rows.len());
    for row in rows {
        let values = (0..resource.members.len()).map(|column| owned(row, column)).collect::<Result<_, _>>()?;
        records.push(Record { place: Place::default(), values, below: Vec::new() });
    }
    for list in resource.below {
        let keys = records.iter().map(|record| key_below(resource, record)).collect();
        let columns: Vec<_> = list.resource.above().iter().map(|member| member.column).collect();
        let rows = session.rows(matching(list.resource, tenant, &columns, keys)).await?;
        let mut inside: HashMap<String, Vec<Record>> = HashMap::new();
        for record in Box::pin(whole(session, tenant, list.resource, &rows)).await? {
            inside.entry(texts(&record.values[..list.resource.above])).or_default().push(record);
        }
        for record in &mut records {
            let own = inside.remove(&texts(&key_below(resource, record)));
            record.below.push(Some(own.unwrap_or_default()));
        }
    }
    Ok(records)
}

/// What the records inside of a record begin with.
pub(super) fn key_below(resource: &Resource, record: &Record) -> Vec<Value> {
    let mut key = record.values[..resource.above].to_vec();
    key.extend(resource.keys().last().map(|(position, _)| record.values[position].clone()));
    key
}

/// What selects the records of which these columns have these values.
fn matching(resource: &Resource, tenant: i32, columns: &[&str], keys: Vec<Vec<Value>>) -> Query {
    let table = resource.table;
    let on: Vec<_> = columns.iter().map(|column| format!("k.{column} = t.{column}")).collect();
    let join = format!("JOIN json_populate_recordset(NULL::{table}, $2) AS k ON {}", on.join(" AND "));
    let names = || columns.iter().map(|column| (*column).to_owned());
    let rows = keys.into_iter().map(|key| names().zip(key.iter().map(plain)).collect::<Map<_, _>>().into());
    let rows = serde_json::Value::Array(rows.collect()).to_string();
    Query::new(select(resource, &join), vec![Parameter::from(tenant), rows.into()])
}

/// Parameter 1 is the tenant.
fn select(resource: &Resource, join: &str) -> String {
    let columns: Vec<_> = resource.members.iter().map(|member| format!("t.{}", member.column)).collect();
    let order: Vec<_> = resource.keys().map(|(_, member)| format!("t.{}", member.column)).collect();
    format!(
        "SELECT {} FROM {} AS t {join} WHERE t.tenant_id = $1 ORDER BY {}",
        columns.join(", "),
        resource.table,
        order.join(", ")
    )
}

/// A value as JSON, which PostgreSQL reads as the type of its column.
pub(super) fn plain(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::Bytes(_) => json!(null),
    }
}

/// Values as a text that no others have.
pub(super) fn texts(values: &[Value]) -> String {
    values.iter().map(text).collect::<Vec<_>>().join("\u{1f}")
}

fn text(value: &Value) -> String {
    plain(value).to_string()
}
