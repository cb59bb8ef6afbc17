//! Reading every record, in the form in which imports write them.

use std::{collections::HashMap, rc::Rc};

use rusqlite::{Row, params_from_iter, types::ValueRef};

use super::view::View;
use crate::store::{
    Error,
    record::{Place, Record, Resource, Value},
};

/// Gives `visit` each record with all that stands inside of it, until it says false.
pub(super) fn each(
    view: &View<'_>,
    resource: &'static Resource,
    visit: &mut dyn FnMut(Record) -> bool,
) -> Result<(), Error> {
    let mut selects = HashMap::new();
    walk(view, &mut selects, resource, &[], visit)
}

/// For each of these keys whether there is such a record, and the record it stands below, or 0 if below none.
pub(super) fn find(view: &View<'_>, resource: &Resource, keys: &[Value]) -> Result<Vec<Option<Value>>, Error> {
    let above = resource.above().last().map_or("0", |member| member.column);
    let own = resource.keys().last().map_or("id", |(_, member)| member.column);
    let sql = format!("SELECT {above} FROM {} WHERE tenant_id = ?1 AND {own} = ?2", resource.table);
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        let mut rows = statement.query((view.tenant.0, key))?;
        found.push(rows.next()?.map(|row| value(row, 0)).transpose()?);
    }
    Ok(found)
}

/// The record with the key that stands among these values, with all that stands inside of it.
pub(super) fn one(view: &View<'_>, resource: &'static Resource, values: &[Value]) -> Result<Option<Record>, Error> {
    let sql = select(resource, resource.keys().map(|(_, member)| member.column));
    let mut found = None;
    let keys = resource.keys().map(|(position, _)| &values[position]);
    rows(view, &mut HashMap::new(), resource, &sql, keys, &mut |record| {
        found = Some(record);
        false
    })?;
    Ok(found)
}

fn walk(
    view: &View<'_>,
    selects: &mut HashMap<&'static str, Rc<str>>,
    resource: &'static Resource,
    above: &[Value],
    visit: &mut dyn FnMut(Record) -> bool,
) -> Result<(), Error> {
    let columns = || resource.above()[..above.len()].iter().map(|member| member.column);
    let sql = selects.entry(resource.name).or_insert_with(|| select(resource, columns()).into()).clone();
    rows(view, selects, resource, &sql, above.iter(), visit)
}

/// Gives `visit` each record that a statement finds; `values` are its parameters behind the tenant.
fn rows<'v>(
    view: &View<'_>,
    selects: &mut HashMap<&'static str, Rc<str>>,
    resource: &'static Resource,
    sql: &str,
    values: impl Iterator<Item = &'v Value>,
    visit: &mut dyn FnMut(Record) -> bool,
) -> Result<(), Error> {
    let mut statement = view.connection.prepare_cached(sql)?;
    let parameters = std::iter::once(Value::Integer(view.tenant.0.into())).chain(values.cloned());
    let mut rows = statement.query(params_from_iter(parameters))?;
    while let Some(row) = rows.next()? {
        let values = (0..resource.members.len()).map(|column| value(row, column)).collect::<Result<Vec<_>, _>>()?;
        let mut below = Vec::with_capacity(resource.below.len());
        if !resource.below.is_empty() {
            let mut key = values[..resource.above].to_vec();
            key.extend(resource.keys().last().map(|(position, _)| values[position].clone()));
            for list in resource.below {
                let mut records = Vec::new();
                walk(view, selects, list.resource, &key, &mut |record| {
                    records.push(record);
                    true
                })?;
                below.push(Some(records));
            }
        }
        if !visit(Record { place: Place::default(), values, below }) {
            break;
        }
    }
    Ok(())
}

/// Parameter 1 is the tenant; the values of these columns follow.
fn select<'c>(resource: &Resource, wanted: impl Iterator<Item = &'c str>) -> String {
    let columns: Vec<_> = resource.members.iter().map(|member| member.column).collect();
    let mut conditions = vec!["tenant_id = ?1".to_owned()];
    conditions.extend((2..).zip(wanted).map(|(at, column)| format!("{column} = ?{at}")));
    let order: Vec<_> = resource.keys().map(|(_, member)| member.column).collect();
    format!(
        "SELECT {} FROM {} WHERE {} ORDER BY {}",
        columns.join(", "),
        resource.table,
        conditions.join(" AND "),
        order.join(", ")
    )
}

fn value(row: &Row<'_>, column: usize) -> Result<Value, Error> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => return Err(Error::Damaged("the store holds text that is not UTF-8".into())),
        },
        ValueRef::Blob(_) => return Err(Error::Damaged("the store holds bytes where text belongs".into())),
    })
}
