//! The statements that write and read whole records, built from the members.

use std::{borrow::Cow, collections::BTreeMap};

use crate::store::{
    Error,
    record::{Derived, Member, Origin, Record, Resource},
    statement::{Dialect, Statement},
    text::fold,
    value::{Row, Value},
};

impl Resource {
    /// Inserts records.
    pub(in crate::store) fn insert(&self, dialect: Dialect, tenant: i32, records: &[&Record]) -> Vec<Statement> {
        self.write(dialect, tenant, records, "")
    }

    /// Inserts records, or replaces those with the same keys.
    pub(in crate::store) fn put(&self, dialect: Dialect, tenant: i32, records: &[&Record]) -> Vec<Statement> {
        let key = self.key_columns();
        let columns = self.columns();
        let set = columns.iter().filter(|column| !key.contains(&&***column));
        let set: Vec<_> = set.map(|column| format!("{column} = excluded.{column}")).collect();
        let action = if set.is_empty() { "NOTHING".to_owned() } else { format!("UPDATE SET {}", set.join(", ")) };
        self.write(dialect, tenant, records, &format!(" ON CONFLICT ({}) DO {action}", key.join(", ")))
    }

    fn write(&self, dialect: Dialect, tenant: i32, records: &[&Record], end: &str) -> Vec<Statement> {
        let rows = records.iter().map(|record| self.row(tenant, record));
        Statement::insert(dialect, self.table, &self.columns(), rows, end)
    }

    /// Updates the record with the same key.
    pub(in crate::store) fn update(&self, tenant: i32, record: &Record) -> Statement {
        let (columns, values) = (self.columns(), self.row(tenant, record));
        let key = self.key_columns();
        let term = |wanted: bool| {
            let terms = (1..).zip(&columns).filter(move |(_, column)| key.contains(&&***column) == wanted);
            terms.map(|(position, column)| format!("{column} = ${position}")).collect::<Vec<_>>()
        };
        let (set, of_key) = (term.clone()(false).join(", "), term(true).join(" AND "));
        Statement::new(format!("UPDATE {} SET {set} WHERE {of_key}", self.table), values)
    }

    /// Selects the stored members of the records that match a condition; `$1` is the tenant.
    pub(in crate::store) fn select(&self, condition: &str, values: Vec<Value>) -> Statement {
        let columns: Vec<_> = self.members.iter().map(|member| member.column).collect();
        let (columns, table) = (columns.join(", "), self.table);
        Statement::new(format!("SELECT {columns} FROM {table} WHERE tenant_id = $1 AND {condition}"), values)
    }

    /// The record in a row of [`Self::select`].
    pub(in crate::store) fn record(&self, row: Row) -> Record {
        Record { origin: Origin::default(), values: row.0, names: BTreeMap::new(), below: vec![None; self.below.len()] }
    }

    /// The key columns.
    pub(in crate::store) fn key_columns(&self) -> Vec<&'static str> {
        let mut key = vec!["tenant_id"];
        if !self.members.iter().any(|member| member.is_key) {
            key.extend(self.above().iter().map(|member| member.column));
        }
        key.extend(self.keys().map(|(_, member)| member.column));
        key
    }

    /// All columns of a record.
    fn columns(&self) -> Vec<Cow<'static, str>> {
        let mut columns = vec!["tenant_id".into()];
        for member in self.members.iter() {
            if member.is_folded {
                columns.push(format!("{}_folded", member.column).into());
            }
            columns.push(member.column.into());
        }
        if self.derived == Derived::FoldedName {
            columns.push("name_folded".into());
        }
        columns
    }

    /// The values of [`Self::columns`].
    fn row(&self, tenant: i32, record: &Record) -> Vec<Value> {
        let mut values = vec![tenant.into()];
        let text = |name: &str| match record.get(self, name) {
            Ok(Value::Text(text)) => text.as_str(),
            _ => "",
        };
        let whole_name = || format!("{} {}", text("FirstName"), text("LastName")).trim_matches(' ').to_owned();
        for (member, value) in self.members.iter().zip(&record.values) {
            let value = match value {
                Value::Null if self.derived == Derived::Name && member.name == "Name" => whole_name().into(),
                value => value.clone(),
            };
            if member.is_folded {
                values.push(if let Value::Text(text) = &value { fold(text).into() } else { Value::Null });
            }
            values.push(value);
        }
        if self.derived == Derived::FoldedName {
            values.push(fold(&whole_name()).into());
        }
        values
    }
}

impl Record {
    /// The value of a member.
    pub(in crate::store) fn get(&self, resource: &Resource, name: &str) -> Result<&Value, Error> {
        let value = resource.member(name).and_then(|(position, _): (usize, &Member)| self.values.get(position));
        value.ok_or_else(|| Error::Damaged(format!("{} have no {name}", resource.name)))
    }

    /// Sets the value of a member.
    pub(in crate::store) fn set(&mut self, resource: &Resource, name: &str, value: Value) {
        if let Some(place) = resource.member(name).and_then(|(position, _)| self.values.get_mut(position)) {
            *place = value;
        }
    }
}
