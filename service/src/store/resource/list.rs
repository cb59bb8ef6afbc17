//! Lists and single records: the selected columns, and how rows become generated models.

use std::{collections::HashMap, sync::Arc};

use crate::{
    domain::list::{Exclude, ListQuery, Listed, Members, Sort, Window},
    store::{
        Error,
        names::{Names, Table},
        record::{Kind, Member, Resource},
        statement::{Conditions, Dialect, Statement, array, first},
        value::{Row, Value, values},
        view::View,
    },
};

/// Average overhead of a member in a response: its name, punctuation, a number.
const MEMBER_BYTES: usize = 24;

/// Maximum offset at which whole records are skipped; beyond it, only ids are.
const SHALLOW: u64 = 100;

/// Fills a field of a record.
pub(in crate::store) type Fill<T> = fn(&mut T, Value) -> Result<(), Error>;

/// The members of a model, and how its fields are filled.
pub struct List<T: 'static> {
    pub(in crate::store) members: &'static [Member],
    /// An empty record.
    pub(in crate::store) blank: fn() -> T,
    pub(in crate::store) fill: &'static [Option<Fill<T>>],
}

/// Nested records of a list's records.
pub(in crate::store) struct Owned<T: 'static> {
    pub(in crate::store) resource: &'static Resource,
    pub(in crate::store) list: &'static List<T>,
}

/// The records of a window with their ids, and the total number.
pub(in crate::store) struct Found<T> {
    pub(in crate::store) records: Vec<(i64, T)>,
    pub(in crate::store) total: u64,
    pub(in crate::store) names: Arc<Names>,
}

/// Converts rows to records.
struct Reading<'a, T: 'static> {
    blank: fn() -> T,
    /// For each field: the index of its value, and the names to look it up in.
    fields: Vec<(Option<usize>, Source<'a>, Fill<T>)>,
}

enum Source<'a> {
    Value,
    Name(Option<&'a Table>),
    Tenant(&'a str),
}

impl<T> Members for List<T> {
    fn members(&self) -> Vec<(&'static str, bool)> {
        let shown = self.members.iter().filter(|member| !member.is_hidden);
        shown.map(|member| (member.name, member.is_sorted)).collect()
    }
}

impl<T> List<T> {
    /// Whether a member is excluded.
    pub(in crate::store) fn excludes(&self, exclude: Exclude, name: &str) -> bool {
        self.position(name).is_some_and(|position| exclude.contains(position))
    }

    /// The selected columns, and for each member the index of its column.
    fn columns(&self, exclude: Exclude) -> (Vec<&'static str>, Vec<(usize, Option<usize>)>) {
        let mut columns: Vec<&'static str> = Vec::with_capacity(self.members.len());
        let mut cells = Vec::with_capacity(self.members.len());
        for (position, member) in self.members.iter().enumerate().filter(|(at, _)| !exclude.contains(*at)) {
            let is_filled = self.fill.get(position).is_some_and(Option::is_some);
            let is_read = is_filled && !matches!(member.kind, Kind::TenantName);
            // An id and its name share a column.
            if is_read && columns.last() != Some(&member.column) {
                columns.push(member.column);
            }
            cells.push((position, is_read.then_some(columns.len())));
        }
        (columns, cells)
    }

    /// The `SELECT` list: a key, and the columns of members that are not excluded.
    pub(in crate::store) fn select(&self, key: &str, exclude: Exclude) -> String {
        let mut select = key.to_owned();
        for column in self.columns(exclude).0 {
            select.push_str(", ");
            select.push_str(column);
        }
        select
    }

    /// The `ORDER BY` clause. Ties are ordered by id, in the direction of the first key, like its index.
    fn order(&self, sort: &Sort, conditions: &Conditions) -> String {
        let mut order = String::new();
        let mut direction = None;
        for key in &sort.0 {
            let Some(member) = self.members.get(key.member) else { continue };
            let this = if key.descending { " DESC" } else { "" };
            direction = direction.or(Some(this));
            if member.column == "id" {
                return format!("{order}id{this}");
            }
            let folded = if member.is_folded { "_folded" } else { "" };
            match (member.order, conditions.shown(member.column)) {
                (_, Some(shown)) => order.push_str(shown),
                ("", None) => order.extend([member.column, folded]),
                (column, None) => order.push_str(column),
            }
            order.push_str(if key.descending { " DESC NULLS LAST, " } else { " NULLS FIRST, " });
        }
        order + "id" + direction.unwrap_or_default()
    }
}

impl<T> List<T> {
    /// Selects a window of the records that satisfy conditions.
    fn page(&self, table: &str, conditions: &Conditions, query: &Query<'_>) -> Statement {
        let order = self.order(query.sort, conditions);
        let mut conditions = conditions.clone();
        if let Some(after) = query.window.after {
            let is_descending = query.sort.0.first().is_some_and(|key| {
                key.descending && self.members.get(key.member).is_some_and(|member| member.column == "id")
            });
            conditions.add(if is_descending { "id < ?" } else { "id > ?" }, [after.into()]);
        }
        let limit = query.window.limit.map_or(i64::MAX, i64::from);
        self.window(table, &conditions, query.exclude, &order, (query.window.offset, limit))
    }

    /// Selects up to `limit` records after `offset`, in an order.
    pub(in crate::store) fn window(
        &self,
        table: &str,
        conditions: &Conditions,
        exclude: Exclude,
        order: &str,
        (offset, limit): (u64, i64),
    ) -> Statement {
        let (select, filter, mut values) = (self.select("id", exclude), conditions.sql(), conditions.values().to_vec());
        values.extend(values![limit, i64::try_from(offset).unwrap_or(i64::MAX)]);
        let end = format!("ORDER BY {order} LIMIT ${} OFFSET ${}", values.len() - 1, values.len());
        if offset <= SHALLOW {
            return Statement::new(format!("SELECT {select} FROM {table} WHERE {filter} {end}"), values);
        }
        let ids = format!("SELECT id FROM {table} WHERE {filter} {end}");
        let ids = match conditions.dialect() {
            Dialect::Sqlite => format!("IN ({ids})"),
            // An array is evaluated once, even if the tables have no statistics yet.
            Dialect::Postgres => format!("= ANY (ARRAY({ids}))"),
        };
        let scope = conditions.scope();
        Statement::new(format!("SELECT {select} FROM {table} WHERE {scope} AND id {ids} ORDER BY {order}"), values)
    }

    /// Selects every record that satisfies conditions.
    pub(in crate::store) fn found(&self, table: &str, conditions: &Conditions) -> Statement {
        let select = self.select("id", Exclude::default());
        let sql = format!("SELECT {select} FROM {table} WHERE {}", conditions.sql());
        Statement::new(sql, conditions.values().to_vec())
    }

    /// The records of rows, with their keys.
    pub(in crate::store) fn read(
        &self,
        view: &View,
        names: &Names,
        exclude: Exclude,
        rows: Vec<Row>,
    ) -> Result<Vec<(i64, T)>, Error> {
        let reading = Reading::new(self, names, exclude);
        rows.into_iter().map(|row| reading.record(view, row)).collect()
    }
}

impl<T> Owned<T> {
    /// Selects the nested records of these ids.
    pub(in crate::store) fn of(&self, view: &View, ids: &[i64]) -> Statement {
        let columns: Vec<_> = self.resource.above().iter().map(|member| member.column).collect();
        let (page, owner) = (columns.first().unwrap_or(&"id"), columns.last().unwrap_or(&"id"));
        let select = self.list.select(owner, Exclude::default());
        let among = view.session.dialect().among(page, "$2");
        let table = self.resource.table;
        let order = columns.join(", ");
        let sql = format!("SELECT {select} FROM {table} WHERE tenant_id = $1 AND {among} ORDER BY {order}, id");
        Statement::new(sql, vec![view.tenant.0.into(), array(ids)])
    }

    /// The nested records of rows, with their owners.
    pub(in crate::store) fn read(
        &self,
        view: &View,
        names: &Names,
        rows: Option<Vec<Row>>,
    ) -> Result<Vec<(i64, T)>, Error> {
        self.list.read(view, names, Exclude::default(), rows.unwrap_or_default())
    }
}

impl<'a, T> Reading<'a, T> {
    fn new(list: &List<T>, names: &'a Names, exclude: Exclude) -> Self {
        let field = |(position, cell): (usize, Option<usize>)| {
            let (member, fill) = (list.members.get(position)?, list.fill.get(position)?);
            let source = match member.kind {
                Kind::Name(target) => Source::Name(names.of(target.table)),
                Kind::TenantName => Source::Tenant(&names.tenant),
                _ => Source::Value,
            };
            Some((cell, source, (*fill)?))
        };
        Self { blank: list.blank, fields: list.columns(exclude).1.into_iter().filter_map(field).collect() }
    }
}

impl<T> Reading<'_, T> {
    fn record(&self, view: &View, mut row: Row) -> Result<(i64, T), Error> {
        let mut record = (self.blank)();
        view.spend(self.fields.len() * MEMBER_BYTES + row.0.iter().map(Value::len).sum::<usize>())?;
        for (cell, source, fill) in &self.fields {
            let value = cell.and_then(|cell| row.0.get_mut(cell));
            let value = match (source, value) {
                (Source::Tenant(name), _) => (*name).into(),
                (Source::Name(names), Some(Value::Integer(id))) => {
                    let id = i32::try_from(*id).unwrap_or_default();
                    names.and_then(|names| names.get(&id)).map_or(Value::Null, |name| (**name).into())
                }
                (Source::Name(_), Some(_)) => Value::Null,
                (Source::Value, Some(Value::Integer(number))) => Value::Integer(*number),
                (Source::Value, Some(value)) => std::mem::take(value),
                _ => continue,
            };
            fill(&mut record, value)?;
        }
        // Log lines have binary ids; 0 is never used for a lookup.
        let key = if let Some(Value::Integer(key)) = row.0.first() { *key } else { 0 };
        Ok((key, record))
    }
}

/// A query of a list without its conditions.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Query<'a> {
    pub(in crate::store) sort: &'a Sort,
    pub(in crate::store) exclude: Exclude,
    pub(in crate::store) window: Window,
}

impl<'a, F> From<&'a ListQuery<F>> for Query<'a> {
    fn from(query: &'a ListQuery<F>) -> Self {
        Self { sort: &query.sort, exclude: query.exclude, window: query.window }
    }
}

impl View {
    /// A window of a list.
    pub(in crate::store) async fn list<T>(
        &self,
        resource: &Resource,
        list: &List<T>,
        conditions: &Conditions,
        query: impl Into<Query<'_>>,
    ) -> Result<Found<T>, Error> {
        let query = query.into();
        let statements = [count(resource, conditions), list.page(resource.table, conditions, &query)];
        self.counted(list, query.exclude, statements).await
    }

    /// The records of the second statement, and the number that the first one counts.
    pub(in crate::store) async fn counted<T>(
        &self,
        list: &List<T>,
        exclude: Exclude,
        statements: [Statement; 2],
    ) -> Result<Found<T>, Error> {
        let (names, mut answers) = self.named(statements.into()).await?;
        let rows = answers.pop().unwrap_or_default();
        let total: Option<Option<u64>> = answers.pop().map_or(Ok(None), |rows| first(&rows))?;
        Ok(Found { records: list.read(self, &names, exclude, rows)?, total: total.flatten().unwrap_or(0), names })
    }

    /// The single record that satisfies conditions.
    pub(in crate::store) async fn one<T>(
        &self,
        table: &str,
        list: &List<T>,
        conditions: &Conditions,
    ) -> Result<Option<T>, Error> {
        let (names, mut answers) = self.named(vec![list.found(table, conditions)]).await?;
        let rows = answers.pop().unwrap_or_default();
        Ok(list.read(self, &names, Exclude::default(), rows)?.pop().map(|(_, record)| record))
    }
}

/// Counts the records that satisfy conditions.
fn count(resource: &Resource, conditions: &Conditions) -> Statement {
    let table = resource.table;
    let counted = match conditions.only_active() {
        _ if !resource.is_counted => None,
        None if conditions.is_empty() => Some(format!("name = '{table}'")),
        None => None,
        Some(true) => Some(format!("name = '{table}.active'")),
        Some(false) => Some(format!("name IN ('{table}', '{table}.active')")),
    };
    let Some(counted) = counted else { return conditions.count(table) };
    // The number of inactive ones is a difference. On PostgreSQL the sum is `numeric`, so cast it.
    let value = if conditions.only_active() == Some(false) {
        format!("CASE WHEN name = '{table}' THEN value ELSE -value END")
    } else {
        "value".to_owned()
    };
    let sql = format!("SELECT CAST(sum({value}) AS bigint) FROM counters WHERE tenant_id = $1 AND {counted}");
    Statement::new(sql, conditions.values()[..1].to_vec())
}

impl<T> Found<T> {
    /// The ids of the records.
    pub(in crate::store) fn ids(&self) -> Vec<i64> {
        self.records.iter().map(|(id, _)| *id).collect()
    }

    /// The records without their ids.
    pub(in crate::store) fn without_ids(self) -> Listed<T> {
        let last = self.records.last().map(|(id, _)| *id).filter(|id| *id != 0);
        Listed {
            records: self.records.into_iter().map(|(_, record)| record).collect(),
            total: self.total,
            last,
            is_cut: false,
        }
    }
}

/// Assigns nested records to their owners with these keys.
pub(in crate::store) fn attach<T, U>(records: &mut [(i64, T)], owned: Vec<(i64, U)>, put: impl Fn(&mut T, Vec<U>)) {
    let mut owned = by_owner(owned);
    for (id, record) in records {
        put(record, owned.remove(id).unwrap_or_default());
    }
}

/// Nested records by their owners, in their order.
pub(in crate::store) fn by_owner<U>(owned: Vec<(i64, U)>) -> HashMap<i64, Vec<U>> {
    let mut by_owner: HashMap<i64, Vec<U>> = HashMap::new();
    for (owner, record) in owned {
        by_owner.entry(owner).or_default().push(record);
    }
    by_owner
}

#[cfg(test)]
mod tests;
