//! Kinds of records that are listed: what their members are read from, and what they are ordered by.

use super::{Cell, Conditions, Datum, Index, names::Names};
use crate::{
    domain::list::{Exclude, Listed, Sort, Window},
    store::Error,
};

/// What a member takes in an answer beside its text, on average: its name, the marks around it, a number.
const MEMBER_BYTES: usize = 24;

/// A kind of record that is listed.
pub(in crate::store) struct Resource<T: 'static> {
    /// The table.
    pub(in crate::store) table: &'static str,
    /// What its members are read from, in the order of its shape.
    pub(in crate::store) columns: &'static [Column<T>],
    /// The index with whole records in the order of their ids.
    pub(in crate::store) key: Index,
    /// The name of the counter of its records, and of its active ones. A table without counters is small.
    pub(in crate::store) counters: Option<[&'static str; 2]>,
    /// The smallest index in the order of ids, for counting and skipping.
    pub(in crate::store) narrow: Index,
}

/// What a member is read from.
pub(in crate::store) struct Column<T> {
    #[cfg(test)]
    pub(in crate::store) name: &'static str,
    /// Empty for what is no column of the table. Columns side by side with the same SQL share a cell of the row.
    pub(in crate::store) sql: &'static str,
    pub(in crate::store) fill: fn(&mut T, Cell<'_>) -> Result<(), Error>,
    /// What the list is ordered by when it is ordered by this member, and the index behind it.
    pub(in crate::store) order: Option<(&'static str, Index)>,
}

/// A column: the field of the record, and the SQL that it is read from.
macro_rules! column {
    ($name:literal, $field:ident, $sql:literal) => {
        column!(@ $name, $sql, None, |record, cell| { record.$field = cell.read()?; Ok(()) })
    };
    ($name:literal, $field:ident, $sql:literal, key) => {
        column!(@ $name, $sql, Some(($sql, $crate::store::sql::Index::Key)),
            |record, cell| { record.$field = cell.read()?; Ok(()) })
    };
    ($name:literal, $field:ident, $sql:literal, by $index:literal) => {
        column!($name, $field, $sql, by $index on $sql)
    };
    ($name:literal, $field:ident, $sql:literal, by $index:literal on $order:literal) => {
        column!(@ $name, $sql, Some(($order, $crate::store::sql::Index::Named($index))),
            |record, cell| { record.$field = cell.read()?; Ok(()) })
    };
    ($name:literal, $field:ident, $sql:literal, of $table:ident) => {
        column!(@ $name, $sql, None,
            |record, cell| { record.$field = cell.name($crate::store::sql::Table::$table)?; Ok(()) })
    };
    ($name:literal, $field:ident, tenant) => {
        column!(@ $name, "", None, |record, cell| { record.$field = cell.names.tenant().to_owned().into(); Ok(()) })
    };
    ($name:literal, later) => {
        column!(@ $name, "", None, |_, _| Ok(()))
    };
    (@ $name:literal, $sql:literal, $order:expr, $fill:expr) => {
        $crate::store::sql::Column {
            #[cfg(test)]
            name: $name,
            sql: $sql,
            fill: $fill,
            order: $order,
        }
    };
}
pub(in crate::store) use column;

/// What a list is asked for, apart from its conditions.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Part<'a> {
    pub(in crate::store) sort: &'a Sort,
    pub(in crate::store) exclude: Exclude,
    pub(in crate::store) window: Window,
}

impl<T> Resource<T> {
    /// What follows `ORDER BY`, and the index that is in that order.
    pub(in crate::store) fn order(&self, conditions: &Conditions, sort: &Sort) -> (String, Index) {
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
            order.push_str(conditions.dialect().direction(descending));
            order.push_str(", ");
        }
        // Records that are equal otherwise stand in the order of their ids, in the direction of the first key, which
        // is the order of its index.
        order.push_str("id");
        order.push_str(direction);
        (order, walked)
    }
}

impl Part<'_> {
    /// What a record of the part satisfies besides the conditions, where a parameter is the id that it is behind.
    pub(in crate::store) fn behind<T>(&self, resource: &Resource<T>, parameter: &str) -> Option<(String, i32)> {
        let after = self.window.after?;
        let first =
            self.sort.0.first().and_then(|key| Some((resource.columns.get(key.member)?.order?.0, key.descending)));
        let comparison = if first == Some(("id", true)) { "<" } else { ">" };
        Some((format!(" AND id {comparison} {parameter}"), after))
    }
}

/// What follows `SELECT`: a key, and the columns that are not excluded.
pub(in crate::store) fn select<T>(key: &str, columns: &[Column<T>], exclude: Exclude) -> String {
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
pub(in crate::store) fn cells<T>(columns: &[Column<T>], exclude: Exclude) -> impl Iterator<Item = (usize, &Column<T>)> {
    let included = columns.iter().enumerate().filter(move |(member, _)| !exclude.contains(*member));
    let (mut position, mut last) = (0, "");
    included.map(move |(_, column)| {
        if !column.sql.is_empty() && column.sql != last {
            (position, last) = (position + 1, column.sql);
        }
        (position, column)
    })
}

/// What makes records of rows that are selected so.
pub(in crate::store) struct Reading<'a, T> {
    cells: Vec<(usize, &'a Column<T>)>,
    names: &'a Names,
}

impl<'a, T: Default> Reading<'a, T> {
    pub(in crate::store) fn new(columns: &'a [Column<T>], exclude: Exclude, names: &'a Names) -> Self {
        Self { cells: cells(columns, exclude).collect(), names }
    }

    /// The record of a row of which `value` gives the value at a position, and how many bytes it is going to have, about.
    pub(in crate::store) fn record<'r>(
        &self,
        value: impl Fn(usize) -> Result<Datum<'r>, Error>,
    ) -> Result<(T, usize), Error> {
        let mut record = T::default();
        let mut last = 0;
        let mut bytes = self.cells.len() * MEMBER_BYTES;
        let mut datum = Datum::Null;
        for (position, column) in &self.cells {
            if *position != last {
                (datum, last) = (value(*position)?, *position);
                bytes += datum.len();
            }
            (column.fill)(&mut record, Cell { value: datum, names: self.names })?;
        }
        Ok((record, bytes))
    }
}

/// Records of a part of a list, each with its id, and the number of all.
pub(in crate::store) struct Found<T> {
    pub(in crate::store) records: Vec<(i64, T)>,
    pub(in crate::store) total: u64,
}

impl<T> Found<T> {
    /// The records, once their ids are not needed any more.
    pub(in crate::store) fn without_ids(self) -> Listed<T> {
        let last = last(&self.records);
        Listed {
            records: self.records.into_iter().map(|(_, record)| record).collect(),
            total: self.total,
            last,
            is_cut: false,
        }
    }
}

/// The id of the last of some records, if it is a number.
pub(in crate::store) fn last<T>(records: &[(i64, T)]) -> Option<i64> {
    records.last().map(|(id, _)| *id).filter(|id| *id != 0)
}
