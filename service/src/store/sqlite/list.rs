//! Lists: filtered, ordered, in part, and counted.

use rusqlite::{Connection, OptionalExtension, Rows, params_from_iter, types::ValueRef};

use super::view::View;
use crate::{
    domain::list::Exclude,
    store::{
        Error,
        record::Value,
        sql::{Column, Conditions, Datum, Found, Index, Part, Reading, Resource, names::Names, select},
    },
};

/// So many matches are skipped while whole records are read; more are skipped among keys alone.
const SHALLOW: u64 = 100;

impl<T: Default> Resource<T> {
    /// The records of the part, each with its id, and the number of all.
    pub(super) fn list(
        &self,
        view: &View<'_>,
        names: &Names,
        conditions: &Conditions,
        part: Part<'_>,
    ) -> Result<Found<T>, Error> {
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
            return Ok(Found { records: Vec::new(), total });
        }
        let length = part.window.limit.map_or(total, |limit| total.min(limit.into()));
        view.expect(length.saturating_mul(self.columns.len() as u64))?;
        let sql = self.page(conditions, part, total, size);
        let limit = part.window.limit.map_or(-1, i64::from);
        let offset = i64::try_from(part.window.offset).unwrap_or(i64::MAX);
        let parameters = conditions.parameters().iter().cloned().chain([Value::Integer(limit), Value::Integer(offset)]);
        let parameters = parameters.chain(part.window.after.map(|after| Value::Integer(after.into())));

        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query(params_from_iter(parameters))?;
        let mut found = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        records(view, self.columns, part.exclude, names, rows, &mut found)?;
        Ok(Found { records: found, total })
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
        let (scope, mut filter) = (conditions.scope(), conditions.sql());
        if let Some((behind, _)) = part.behind(self, &format!("?{}", offset + 1)) {
            filter.push_str(&behind);
        }

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
    let reading = Reading::new(columns, exclude, names);
    while let Some(row) = rows.next()? {
        // The ids of log lines are no numbers, and nothing is looked up by them.
        let key = row.get_ref(0)?.as_i64().unwrap_or_default();
        let (record, bytes) = reading.record(|position| datum(row.get_ref(position)?))?;
        view.spend(bytes)?;
        found.push((key, record));
    }
    Ok(())
}

pub(super) fn datum(value: ValueRef<'_>) -> Result<Datum<'_>, Error> {
    Ok(match value {
        ValueRef::Null => Datum::Null,
        ValueRef::Integer(number) => Datum::Integer(number),
        ValueRef::Real(number) => Datum::Real(number),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Datum::Text(text),
            Err(_) => return Err(Error::Damaged("the store holds text that is not UTF-8".into())),
        },
        ValueRef::Blob(bytes) => Datum::Bytes(bytes),
    })
}

fn counter(connection: &Connection, conditions: &Conditions, name: &str) -> Result<u64, Error> {
    let tenant = conditions.parameters().first();
    let value: Option<i64> = connection
        .prepare_cached("SELECT value FROM counters WHERE tenant_id = ?1 AND name = ?2")?
        .query_row((tenant, name), |row| row.get(0))
        .optional()?;
    Ok(value.unwrap_or(0).cast_unsigned())
}
