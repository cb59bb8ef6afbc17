//! Lists: filtered, ordered, in part, and counted.

use rusqlite::{Connection, OptionalExtension, Rows, params_from_iter, types::Value};

use super::{
    cell::Cell,
    conditions::{Conditions, Index},
    names::Names,
    view::View,
};
use crate::{
    domain::list::{Exclude, Listed, Sort, Window},
    store::Error,
};

/// So many matches are skipped while whole records are read; more are skipped among keys alone.
const SHALLOW: u64 = 100;

/// What a member takes in an answer beside its text, on average: its name, the marks around it, a number.
const MEMBER_BYTES: usize = 24;

/// A kind of record that is listed.
pub(super) struct Resource<T: 'static> {
    /// The table.
    pub(super) table: &'static str,
    /// What its members are read from, in the order of its shape.
    pub(super) columns: &'static [Column<T>],
    /// The index with whole records in the order of their ids.
    pub(super) key: Index,
    /// The name of the counter of its records, and of its active ones. A table without counters is small.
    pub(super) counters: Option<[&'static str; 2]>,
    /// The smallest index in the order of ids, for counting and skipping.
    pub(super) narrow: Index,
}

/// What a member is read from.
pub(super) struct Column<T> {
    #[cfg(test)]
    pub(super) name: &'static str,
    /// Empty for what is no column of the table. Columns side by side with the same SQL share a cell of the row.
    pub(super) sql: &'static str,
    pub(super) fill: fn(&mut T, Cell<'_>) -> Result<(), Error>,
    /// What the list is ordered by when it is ordered by this member, and the index behind it.
    pub(super) order: Option<(&'static str, Index)>,
}

/// A column: the field of the record, and the SQL that it is read from.
macro_rules! column {
    ($name:literal, $field:ident, $sql:literal) => {
        column!(@ $name, $sql, None, |record, cell| { record.$field = cell.read()?; Ok(()) })
    };
    ($name:literal, $field:ident, $sql:literal, key) => {
        column!(@ $name, $sql, Some(($sql, $crate::store::sqlite::conditions::Index::Key)),
            |record, cell| { record.$field = cell.read()?; Ok(()) })
    };
    ($name:literal, $field:ident, $sql:literal, by $index:literal) => {
        column!($name, $field, $sql, by $index on $sql)
    };
    ($name:literal, $field:ident, $sql:literal, by $index:literal on $order:literal) => {
        column!(@ $name, $sql, Some(($order, $crate::store::sqlite::conditions::Index::Named($index))),
            |record, cell| { record.$field = cell.read()?; Ok(()) })
    };
    ($name:literal, $field:ident, $sql:literal, of $table:ident) => {
        column!(@ $name, $sql, None,
            |record, cell| { record.$field = cell.name($crate::store::sqlite::names::Table::$table)?; Ok(()) })
    };
    ($name:literal, $field:ident, tenant) => {
        column!(@ $name, "", None, |record, cell| { record.$field = cell.names.tenant().to_owned().into(); Ok(()) })
    };
    ($name:literal, later) => {
        column!(@ $name, "", None, |_, _| Ok(()))
    };
    (@ $name:literal, $sql:literal, $order:expr, $fill:expr) => {
        $crate::store::sqlite::list::Column {
            #[cfg(test)]
            name: $name,
            sql: $sql,
            fill: $fill,
            order: $order,
        }
    };
}
pub(super) use column;

/// What a list is asked for, apart from its conditions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) sort: &'a Sort,
    pub(super) exclude: Exclude,
    pub(super) window: Window,
}

impl<T: Default> Resource<T> {
    /// The records of the part, each with its id, and the number of all.
    pub(super) fn list(
        &self,
        view: &View<'_>,
        names: &Names,
        conditions: &Conditions,
        part: Part<'_>,
    ) -> Result<Listed<(i64, T)>, Error> {
        let connection = view.connection;
        let size = self.size(connection, conditions)?;
        if let Some(size) = size.filter(|_| conditions.scans()) {
            view.expect(size)?;
        }
        let total = match size {
            Some(size) if conditions.is_empty() => size,
            _ => self.count(connection, conditions)?,
        };
        if total <= part.window.offset || part.window.limit == Some(0) {
            return Ok(Listed { records: Vec::new(), total });
        }
        let sql = self.page(conditions, part, total, size);
        let limit = part.window.limit.map_or(-1, i64::from);
        let offset = i64::try_from(part.window.offset).unwrap_or(i64::MAX);
        let parameters = conditions.parameters().iter().cloned().chain([Value::Integer(limit), Value::Integer(offset)]);

        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query(params_from_iter(parameters))?;
        let length = part.window.limit.map_or(total, |limit| total.min(limit.into()));
        let mut found = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        records(view, self.columns, part.exclude, names, rows, &mut found)?;
        Ok(Listed { records: found, total })
    }

    /// The one record that satisfies the conditions, with its id.
    pub(super) fn one(
        &self,
        view: &View<'_>,
        names: &Names,
        conditions: &Conditions,
    ) -> Result<Option<(i64, T)>, Error> {
        let index = conditions.index().unwrap_or(self.key);
        let sql = format!(
            "SELECT {} FROM {} {} WHERE {}",
            select("id", self.columns, Exclude::default()),
            self.table,
            index.sql(self.table),
            conditions.sql()
        );
        let mut statement = view.connection.prepare_cached(&sql)?;
        let rows = statement.query(params_from_iter(conditions.parameters()))?;
        let mut found = Vec::with_capacity(1);
        records(view, self.columns, Exclude::default(), names, rows, &mut found)?;
        Ok(found.pop())
    }

    /// The number of records of the tenant, where it is counted as they are written.
    fn size(&self, connection: &Connection, conditions: &Conditions) -> Result<Option<u64>, Error> {
        let Some([all, _]) = self.counters else { return Ok(None) };
        counter(connection, conditions, all).map(Some)
    }

    fn count(&self, connection: &Connection, conditions: &Conditions) -> Result<u64, Error> {
        if let Some(([all, active], is_active)) = self.counters.zip(conditions.only_active()) {
            let active = counter(connection, conditions, active)?;
            return if is_active {
                Ok(active)
            } else {
                Ok(counter(connection, conditions, all)?.saturating_sub(active))
            };
        }
        let index = conditions.index().unwrap_or(self.narrow);
        let sql = format!("SELECT count(*) FROM {} {} WHERE {}", self.table, index.sql(self.table), conditions.sql());
        let count: i64 =
            connection.prepare_cached(&sql)?.query_row(params_from_iter(conditions.parameters()), |row| row.get(0))?;
        Ok(count.cast_unsigned())
    }

    /// The statement that reads a part of `total` matches among `size` records.
    fn page(&self, conditions: &Conditions, part: Part<'_>, total: u64, size: Option<u64>) -> String {
        let (order, walked) = self.order(conditions, part.sort);
        let (limit, offset) = (conditions.parameters().len() + 1, conditions.parameters().len() + 2);
        let (select, table) = (select("id", self.columns, part.exclude), self.table);
        let (scope, filter) = (conditions.scope(), conditions.sql());

        // Walking the index of the order ends when the window is full; narrowing down first has to see every match.
        let needed = part.window.offset.saturating_add(part.window.limit.map_or(total, u64::from)).min(total);
        let walks = size.is_none_or(|size| needed.saturating_mul(size) <= total.saturating_mul(total));
        if walks && part.window.offset <= SHALLOW {
            let index = walked.sql(table);
            return format!(
                "SELECT {select} FROM {table} {index} WHERE {filter} ORDER BY {order} LIMIT ?{limit} OFFSET ?{offset}"
            );
        }
        let key = Index::Key.sql(table);
        let index = match conditions.index() {
            // Conditions need more than the narrow index holds.
            None if walked == self.key && conditions.is_empty() => self.narrow,
            Some(index) if !walks => index,
            _ => walked,
        };
        let index = index.sql(table);
        format!(
            "SELECT {select} FROM {table} {key} WHERE {scope} AND id IN (
                 SELECT id FROM {table} {index} WHERE {filter} ORDER BY {order} LIMIT ?{limit} OFFSET ?{offset}
             ) ORDER BY {order}"
        )
    }

    /// What follows `ORDER BY`, and the index that is in that order.
    fn order(&self, conditions: &Conditions, sort: &Sort) -> (String, Index) {
        let keys = sort.0.iter().filter_map(|key| Some((self.columns.get(key.member)?.order?, key.descending)));
        let mut order = String::new();
        let mut walked = self.key;
        let mut direction = "";
        for ((column, index), descending) in keys {
            let this = if descending { " DESC" } else { "" };
            let shown = conditions.shown(column);
            let (column, index) = shown.map_or((column, index), |shown| (shown, self.key));
            if order.is_empty() {
                (walked, direction) = (index, this);
            }
            if column == "id" {
                direction = this;
                break;
            }
            order.push_str(column);
            order.push_str(this);
            order.push_str(", ");
        }
        // Records that are equal otherwise stand in the order of their ids, in the direction of the first key, which
        // is the order of its index.
        order.push_str("id");
        order.push_str(direction);
        (order, walked)
    }
}

/// What follows `SELECT`: a key, and the columns that are not excluded.
pub(super) fn select<T>(key: &str, columns: &[Column<T>], exclude: Exclude) -> String {
    let mut select = key.to_owned();
    let mut last = 0;
    for (position, column) in cells(columns, exclude) {
        if position > last {
            select.push_str(", ");
            select.push_str(column.sql);
            last = position;
        }
    }
    select
}

/// The columns that are not excluded, each with the position of its cell behind the key, which is at 0.
fn cells<T>(columns: &[Column<T>], exclude: Exclude) -> impl Iterator<Item = (usize, &Column<T>)> {
    let included = columns.iter().enumerate().filter(move |(member, _)| !exclude.contains(*member));
    let (mut position, mut last) = (0, "");
    included.map(move |(_, column)| {
        if !column.sql.is_empty() && column.sql != last {
            (position, last) = (position + 1, column.sql);
        }
        (position, column)
    })
}

/// Adds the records of rows that have been selected so, each with its key.
pub(super) fn records<T: Default>(
    view: &View<'_>,
    columns: &[Column<T>],
    exclude: Exclude,
    names: &Names,
    mut rows: Rows<'_>,
    found: &mut Vec<(i64, T)>,
) -> Result<(), Error> {
    let cells: Vec<_> = cells(columns, exclude).collect();
    let fixed = cells.len() * MEMBER_BYTES;
    while let Some(row) = rows.next()? {
        let mut record = T::default();
        let mut last = 0;
        let mut bytes = fixed;
        let mut value = row.get_ref(0)?;
        // The ids of log lines are no numbers, and nothing is looked up by them.
        let key = value.as_i64().unwrap_or_default();
        for (position, column) in &cells {
            if *position != last {
                (value, last) = (row.get_ref(*position)?, *position);
                bytes += value.as_bytes().map_or(0, <[u8]>::len);
            }
            (column.fill)(&mut record, Cell { value, names })?;
        }
        view.spend(bytes)?;
        found.push((key, record));
    }
    Ok(())
}

impl<T> Listed<(i64, T)> {
    pub(super) fn without_ids(self) -> Listed<T> {
        Listed { records: self.records.into_iter().map(|(_, record)| record).collect(), total: self.total }
    }
}

fn counter(connection: &Connection, conditions: &Conditions, name: &str) -> Result<u64, Error> {
    let tenant = conditions.parameters().first();
    let value: Option<i64> = connection
        .prepare_cached("SELECT value FROM counters WHERE tenant_id = ?1 AND name = ?2")?
        .query_row((tenant, name), |row| row.get(0))
        .optional()?;
    Ok(value.unwrap_or(0).cast_unsigned())
}

#[cfg(test)]
mod tests;
