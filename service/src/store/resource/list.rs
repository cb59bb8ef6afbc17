//! Lists and single records: the selected columns, and how rows become generated models.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use crate::{
    domain::{
        caller::Visibility,
        list::{Exclude, Filter, ListQuery, Listed, Members, Sort, Test},
    },
    store::{
        Error,
        names::Table,
        odata,
        record::{Kind, Member, Resource},
        statement::{Conditions, Dialect, Statement, array, first},
        value::{Row, Value, values},
        view::{Answers, View},
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
    /// The resource of its records.
    pub(in crate::store) resource: &'static Resource,
    /// The view that its records are read from in place of the table.
    pub(in crate::store) view: Option<&'static str>,
    pub(in crate::store) members: &'static [Member],
    /// An empty record.
    pub(in crate::store) blank: fn() -> T,
    pub(in crate::store) fill: &'static [Option<Fill<T>>],
    /// The columns of all members, once they are needed.
    pub(in crate::store) all: OnceLock<Arc<Columns<T>>>,
}

/// What a list selects after the key.
pub(in crate::store) struct Columns<T> {
    /// The columns, each after a comma.
    sql: String,
    /// The fields that they fill: the index of the column, from 1, and the member.
    fields: Vec<(usize, &'static Member, Fill<T>)>,
}

/// The records of a window with their ids, and the total number.
pub(in crate::store) struct Found<T> {
    pub(in crate::store) records: Vec<(i64, T)>,
    pub(in crate::store) total: u64,
    pub(in crate::store) answers: Answers,
    /// See [`Listed::last`].
    last: Option<i64>,
}

/// A field of a record: the index of its column, what its value is, and how it is filled.
type Field<'a, T> = (usize, Source<'a>, Fill<T>);

enum Source<'a> {
    Value,
    /// The id of an account, which reads as null if it is hidden.
    Account,
    Name(&'a Table),
    Tenant(&'a str),
}

impl<T> Members for List<T> {
    fn members(&self) -> Vec<(&'static str, bool)> {
        // A member without a field is hidden, unless it is a list. Hidden ones come last.
        let is_shown =
            |(member, fill): &(&Member, &Option<Fill<T>>)| fill.is_some() || matches!(member.kind, Kind::List);
        self.members.iter().zip(self.fill).filter(is_shown).map(|(member, _)| (member.name, member.is_sorted)).collect()
    }
}

impl<T> List<T> {
    /// Whether a member is excluded.
    pub(in crate::store) fn excludes(&self, exclude: Exclude, name: &str) -> bool {
        self.position(name).is_some_and(|position| exclude.contains(position))
    }

    /// The table or the view that its records are read from.
    pub(in crate::store) fn table(&self) -> &'static str {
        self.view.unwrap_or(self.resource.table)
    }

    /// Adds the conditions of a filter. An account that the caller may not see is sought like a missing one.
    pub(in crate::store) fn filter(
        &self,
        filter: &Filter,
        visible: &Visibility,
        conditions: &mut Conditions,
    ) -> Result<(), Error> {
        for (name, test) in &filter.0 {
            let member = self.members.iter().find(|member| member.name == *name);
            let member = member.ok_or_else(|| Error::Damaged(format!("a list has no member {name}")))?;
            let column = member.compared();
            let is_account = matches!(member.kind, Kind::Reference(target) if target.table == "accounts");
            match test {
                Test::Is(value) => {
                    let value = match odata::value(value) {
                        Value::Integer(id) if is_account => i32::try_from(id).map_or(0, |id| visible.sought(id)).into(),
                        value => value,
                    };
                    conditions.equal(&column, value);
                }
                Test::Contains(part) => conditions.contains(&member.search(), part),
                Test::From(time) => conditions.add(&format!("{column} >= ?"), [(*time).into()]),
                Test::To(time) => conditions.add(&format!("{column} <= ?"), [(*time).into()]),
                Test::OneOf(ids) if ids.is_empty() => {}
                Test::OneOf(ids) => conditions.among(&column, ids),
                Test::NoneOf(ids) => conditions.none_of(&column, ids),
            }
        }
        Ok(())
    }

    /// The columns of the members that fill a field and are not excluded.
    fn columns(&self, exclude: Exclude) -> Arc<Columns<T>> {
        if exclude == Exclude::default()
            && let Some(all) = self.all.get()
        {
            return Arc::clone(all);
        }
        let (mut sql, mut fields, mut column, mut last) = (String::new(), Vec::new(), 0, "");
        for (position, (member, fill)) in self.members.iter().zip(self.fill).enumerate() {
            let Some(fill) = fill.filter(|_| !exclude.contains(position)) else { continue };
            // An id and its name share a column.
            if member.column != last && !matches!(member.kind, Kind::TenantName) {
                (column, last) = (column + 1, member.column);
                sql.push_str(", ");
                sql.push_str(last);
            }
            fields.push((column, member, fill));
        }
        let columns = Arc::new(Columns { sql, fields });
        if exclude == Exclude::default() { Arc::clone(self.all.get_or_init(|| columns)) } else { columns }
    }

    /// The `ORDER BY` clause. Ties are ordered by the key, in the direction of the first key, like its index.
    fn order(&self, sort: &Sort, conditions: &Conditions) -> String {
        let (mut order, mut direction, own) = (String::new(), None, self.resource.own_key());
        for key in &sort.0 {
            let Some(member) = self.members.get(key.member) else { continue };
            let this = if key.descending { " DESC" } else { "" };
            direction = direction.or(Some(this));
            if member.column == own {
                return format!("{order}{own}{this}");
            }
            let column = conditions.shown(member.column).map_or_else(|| member.compared(), str::to_owned);
            order.push_str(&directed(&column, key.descending));
        }
        order + own + direction.unwrap_or_default()
    }

    /// Whether an order begins with the key, which no other member can refine.
    pub(in crate::store) fn is_by_key(&self, sort: &Sort) -> bool {
        let first = sort.0.first().and_then(|key| self.members.get(key.member));
        first.is_none_or(|member| member.column == self.resource.own_key())
    }

    /// Selects a window of the records that satisfy conditions.
    fn page(&self, conditions: &Conditions, query: &ListQuery) -> Statement {
        let order = self.order(&query.sort, conditions);
        let mut conditions = conditions.clone();
        if let Some(after) = query.window.after {
            let is_descending = self.is_by_key(&query.sort) && query.sort.0.first().is_some_and(|key| key.descending);
            let beyond = if is_descending { "<" } else { ">" };
            conditions.add(&format!("{} {beyond} ?", self.resource.own_key()), [after.into()]);
        }
        let limit = query.window.limit.map_or(i64::MAX, i64::from);
        self.window(&conditions, query.exclude, &order, (query.window.offset, limit))
    }

    /// Selects up to `limit` records after `offset`, in an order.
    pub(in crate::store) fn window(
        &self,
        conditions: &Conditions,
        exclude: Exclude,
        order: &str,
        (offset, limit): (u64, i64),
    ) -> Statement {
        let (table, key, filter) = (self.table(), self.resource.own_key(), &conditions.sql);
        let (Columns { sql: columns, .. }, mut values) = (&*self.columns(exclude), conditions.values.clone());
        values.extend(values![limit, i64::try_from(offset).unwrap_or(i64::MAX)]);
        let end = format!("ORDER BY {order} LIMIT ${} OFFSET ${}", values.len() - 1, values.len());
        if offset <= SHALLOW {
            return Statement::new(format!("SELECT {key}{columns} FROM {table} WHERE {filter} {end}"), values);
        }
        let ids = format!("SELECT {key} FROM {table} WHERE {filter} {end}");
        let ids = match conditions.dialect {
            Dialect::Sqlite => format!("IN ({ids})"),
            // An array is evaluated once, even if the tables have no statistics yet.
            Dialect::Postgres => format!("= ANY (ARRAY({ids}))"),
        };
        let scope = conditions.scope();
        let records = format!("SELECT {key}{columns} FROM {table} WHERE {scope} AND {key} {ids} ORDER BY {order}");
        Statement::new(records, values)
    }

    /// Selects every record that satisfies conditions.
    pub(in crate::store) fn found(&self, conditions: &Conditions) -> Statement {
        let (key, Columns { sql: columns, .. }) = (self.resource.own_key(), &*self.columns(Exclude::default()));
        let sql = format!("SELECT {key}{columns} FROM {} WHERE {}", self.table(), conditions.sql);
        Statement::new(sql, conditions.values.clone())
    }

    /// Selects the nested records of the records with these ids.
    pub(in crate::store) fn of(&self, view: &View, ids: &[i64]) -> Statement {
        let above: Vec<_> = self.resource.above().iter().map(|member| member.column).collect();
        let (page, owner) = (above.first().unwrap_or(&"id"), above.last().unwrap_or(&"id"));
        let (Columns { sql: columns, .. }, table) = (&*self.columns(Exclude::default()), self.resource.table);
        let (rows, sought) = match (ids, view.session.dialect()) {
            // Without a table of ids, which either database would build for each read.
            ([id], _) => (format!("{table} WHERE tenant_id = $1 AND {page} = $2"), (*id).into()),
            (_, dialect @ Dialect::Sqlite) => {
                let among = dialect.among(page, "$2");
                (format!("{table} WHERE tenant_id = $1 AND {among}"), array(ids.iter().copied()))
            }
            // `OFFSET 0` makes the server look up each id in the index. It would read all rows of the tenant instead, with a
            // plan from when the table was empty.
            (_, Dialect::Postgres) => {
                let rows = format!(
                    "json_array_elements_text($2::text::json) AS page (sought) CROSS JOIN LATERAL \
                     (SELECT * FROM {table} WHERE tenant_id = $1 AND {page} = sought::bigint OFFSET 0) AS {table}"
                );
                (rows, array(ids.iter().copied()))
            }
        };
        let sql = format!("SELECT {owner}{columns} FROM {rows} ORDER BY {}, id", above.join(", "));
        Statement::new(sql, vec![view.tenant.0.into(), sought])
    }
}

impl Answers {
    /// The records in the rows of the next statement, each with its key, or with that of its owner.
    pub(in crate::store) fn records<T>(&mut self, list: &List<T>) -> Result<Vec<(i64, T)>, Error> {
        self.records_without(list, Exclude::default())
    }

    fn records_without<T>(&mut self, list: &List<T>, exclude: Exclude) -> Result<Vec<(i64, T)>, Error> {
        let rows = self.rows();
        let field = |(column, member, fill): &(usize, &Member, Fill<T>)| Ok((*column, self.source(member)?, *fill));
        let fields = list.columns(exclude).fields.iter().map(field).collect::<Result<Vec<_>, Error>>()?;
        rows.into_iter().map(|row| self.record(list, &fields, row)).collect()
    }

    fn source(&self, member: &Member) -> Result<Source<'_>, Error> {
        Ok(match member.kind {
            Kind::Name(target) => Source::Name(self.names.of(target.table)?),
            Kind::TenantName => Source::Tenant(&self.names.tenant),
            Kind::Reference(target) if target.table == "accounts" => Source::Account,
            _ => Source::Value,
        })
    }

    fn record<T>(&self, list: &List<T>, fields: &[Field<'_, T>], mut row: Row) -> Result<(i64, T), Error> {
        let mut record = (list.blank)();
        self.view.spend(fields.len() * MEMBER_BYTES + row.0.iter().map(Value::len).sum::<usize>())?;
        for (column, source, fill) in fields {
            let value = match (source, row.0.get_mut(*column)) {
                (Source::Tenant(name), _) => (*name).into(),
                (Source::Name(names), Some(Value::Integer(id))) => {
                    let id = i32::try_from(*id).unwrap_or_default();
                    names.get(&id).map_or(Value::Null, |name| (**name).into())
                }
                (Source::Account, Some(Value::Integer(id))) => {
                    Some(*id).filter(|id| i32::try_from(*id).is_ok_and(|id| self.view.visible.includes(id))).into()
                }
                (Source::Name(_) | Source::Account, Some(_)) => Value::Null,
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

impl View {
    /// A window of a list. The conditions include the filter of the query.
    pub(in crate::store) async fn list<T>(
        &self,
        list: &List<T>,
        conditions: &Conditions,
        query: &ListQuery,
    ) -> Result<Found<T>, Error> {
        let statements = [count(list.resource, conditions), list.page(conditions, query)];
        let mut found = self.counted(list, query.exclude, statements).await?;
        found.last = found.records.last().map(|(id, _)| *id).filter(|id| *id != 0 && list.is_by_key(&query.sort));
        Ok(found)
    }

    /// The records of the second statement, and the number that the first one counts.
    pub(in crate::store) async fn counted<T>(
        &self,
        list: &List<T>,
        exclude: Exclude,
        statements: [Statement; 2],
    ) -> Result<Found<T>, Error> {
        let mut answers = self.named(statements).await?;
        let total = first(&answers.rows())?.unwrap_or(0);
        Ok(Found { records: answers.records_without(list, exclude)?, total, answers, last: None })
    }

    /// The single record that satisfies conditions.
    pub(in crate::store) async fn one<T>(&self, list: &List<T>, conditions: &Conditions) -> Result<Option<T>, Error> {
        let mut answers = self.named([list.found(conditions)]).await?;
        Ok(answers.records(list)?.pop().map(|(_, record)| record))
    }
}

/// A key of an `ORDER BY` clause, before others.
pub(in crate::store) fn directed(column: &str, descending: bool) -> String {
    format!("{column}{}", if descending { " DESC NULLS LAST, " } else { " NULLS FIRST, " })
}

/// Counts the records that satisfy conditions.
fn count(resource: &Resource, conditions: &Conditions) -> Statement {
    let table = resource.table;
    let is_counted = resource.is_counted && !conditions.is_narrow;
    let names = match conditions.only_active {
        None if is_counted && conditions.is_empty() => format!("'{table}'"),
        Some(true) if is_counted => format!("'{table}.active'"),
        Some(false) if is_counted => format!("'{table}', '{table}.active'"),
        _ => return conditions.count(table),
    };
    // The number of inactive ones is a difference. On PostgreSQL the sum is `numeric`, so cast it.
    let value = match conditions.only_active {
        Some(false) => format!("CASE WHEN name = '{table}' THEN value ELSE -value END"),
        _ => "value".to_owned(),
    };
    let sql = format!("SELECT CAST(sum({value}) AS bigint) FROM counters WHERE tenant_id = $1 AND name IN ({names})");
    Statement::new(sql, conditions.values[..1].to_vec())
}

impl<T> Found<T> {
    /// The ids of the records.
    pub(in crate::store) fn ids(&self) -> Vec<i64> {
        self.records.iter().map(|(id, _)| *id).collect()
    }

    /// The records without their ids.
    pub(in crate::store) fn without_ids(self) -> Listed<T> {
        let records = self.records.into_iter().map(|(_, record)| record).collect();
        Listed { records, total: self.total, last: self.last, is_cut: false }
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
pub(in crate::store) fn by_owner<U>(owned: Vec<(i64, U)>) -> BTreeMap<i64, Vec<U>> {
    let mut by_owner: BTreeMap<i64, Vec<U>> = BTreeMap::new();
    for (owner, record) in owned {
        by_owner.entry(owner).or_default().push(record);
    }
    by_owner
}

#[cfg(test)]
mod tests;
