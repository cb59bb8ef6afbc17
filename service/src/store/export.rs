//! Reads all records of a resource with their nested records, in the form that imports write.

use std::collections::HashMap;

use super::{
    Error,
    record::{Record, Resource, Value},
    resource::RESOURCES,
    statement::{Dialect, Statement, array, json},
    table::{BATCH, Table},
    value::{Row, values},
    view::View,
};

/// Passes every record to `visit`, nested ones within their parents, until it returns false.
pub(super) async fn all(view: View, mut visit: impl FnMut(&'static Resource, Record) -> bool) -> Result<(), Error> {
    for resource in RESOURCES.iter().filter(|resource| resource.above == 0) {
        let table = Table::of(resource);
        let columns: Vec<_> = resource.members.iter().map(|member| member.column.to_owned()).collect();
        let mut walk = table.walk(&view.session, &columns, view.tenant.0, None);
        while let Some(rows) = walk.next().await? {
            for record in whole(&view, resource, rows).await? {
                if !visit(resource, record) {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The existing records with the keys of the given records.
pub(super) async fn present(
    view: &View,
    resource: &'static Resource,
    records: &[Record],
) -> Result<HashMap<String, Record>, Error> {
    let keys: Vec<_> = resource.keys().collect();
    let mut found = Vec::new();
    if let [(position, member)] = keys.as_slice() {
        let own: Vec<_> = records.iter().map(|record| record.values[*position].clone()).collect();
        let (among, own) = among_keys(view.session.dialect(), member.column, &own);
        let rows = view.rows(resource.select(&among, values![view.tenant.0, own])).await?;
        found = whole(view, resource, rows).await?;
    } else {
        for record in records {
            let conditions: Vec<_> =
                (2..).zip(&keys).map(|(at, (_, member))| format!("{} = ${at}", member.column)).collect();
            let mut values = values![view.tenant.0];
            values.extend(keys.iter().map(|(position, _)| record.values[*position].clone()));
            let rows = view.rows(resource.select(&conditions.join(" AND "), values)).await?;
            found.extend(whole(view, resource, rows).await?);
        }
    }
    Ok(found.into_iter().map(|record| (key(resource, &record), record)).collect())
}

/// The condition that a column is one of these keys, and the value of its parameter `$2`.
pub(super) fn among_keys(dialect: Dialect, column: &str, keys: &[Value]) -> (String, Value) {
    let are_texts = keys.iter().any(|key| matches!(key, Value::Text(_)));
    let among = if are_texts { dialect.among_texts(column, "$2") } else { dialect.among(column, "$2") };
    (among, array(keys.iter().map(json)))
}

/// Whether a record exists for each key, and its parent, or 0 if it has none.
pub(super) async fn find<K: Clone + Into<Value>>(
    view: &View,
    resource: &Resource,
    keys: &[K],
) -> Result<Vec<Option<Value>>, Error> {
    let above = resource.above().last().map_or("0", |member| member.column);
    let own = resource.own_key();
    let sql = format!("SELECT {above} FROM {} WHERE tenant_id = $1 AND {own} = $2", resource.table);
    let mut found = Vec::with_capacity(keys.len());
    for keys in keys.chunks(BATCH) {
        let statement = |key: &K| Statement::new(sql.clone(), vec![view.tenant.0.into(), key.clone().into()]);
        let answers = view.session.all(keys.iter().map(statement).collect()).await?;
        for rows in answers {
            found.push(rows.first().map(|row| row.get(0)).transpose()?);
        }
    }
    Ok(found)
}

/// The key of a record.
pub(super) fn key(resource: &Resource, record: &Record) -> String {
    let keys = resource.keys().map(|(position, _)| record.values[position].to_string());
    keys.collect::<Vec<_>>().join("/")
}

/// The key of a record, as its nested records contain it.
pub(super) fn key_below(resource: &Resource, record: &Record) -> Vec<Value> {
    let own = resource.keys().last().map(|(position, _)| record.values[position].clone());
    record.values[..resource.above].iter().cloned().chain(own).collect()
}

/// The records of rows, with their nested records.
async fn whole(view: &View, resource: &'static Resource, rows: Vec<Row>) -> Result<Vec<Record>, Error> {
    let mut records: Vec<_> = rows.into_iter().map(|row| resource.record(row)).collect();
    for (place, below) in resource.below.iter().enumerate() {
        let owners: Vec<Value> =
            records.iter().filter_map(|record| key_below(resource, record).into_iter().next()).collect();
        let mut inside = Box::pin(inside(view, below.resource, &owners)).await?;
        for record in &mut records {
            let owner = key_below(resource, record).pop().unwrap_or_default().to_string();
            record.below[place] = Some(inside.remove(&owner).unwrap_or_default());
        }
    }
    Ok(records)
}

/// The nested records below the outermost records with these keys, grouped by the key of the record that they are directly below.
async fn inside(
    view: &View,
    resource: &'static Resource,
    owners: &[Value],
) -> Result<HashMap<String, Vec<Record>>, Error> {
    let owner = resource.above - 1;
    if owners.is_empty() {
        return Ok(HashMap::new());
    }
    let order: Vec<_> = resource.keys().map(|(_, member)| member.column).collect();
    // Indexes of nested records begin with the key of the outermost one.
    let (among, owners) = among_keys(view.session.dialect(), resource.members[0].column, owners);
    let condition = format!("{among} ORDER BY {}", order.join(", "));
    let rows = view.rows(resource.select(&condition, values![view.tenant.0, owners])).await?;
    let found = whole(view, resource, rows).await?;
    let mut by_owner: HashMap<String, Vec<Record>> = HashMap::new();
    for record in found {
        by_owner.entry(record.values[owner].to_string()).or_default().push(record);
    }
    Ok(by_owner)
}
