//! The conditions of a query, and the index that narrows it down most.

use jiff::Timestamp;

use super::{Dialect, fold};
use crate::{
    domain::{account::TimeRange, caller::Visibility, tenant::TenantId},
    store::record::Value,
};

/// How far an index narrows a list down; the greatest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) enum Reach {
    /// To about half of the list.
    Half,
    /// To nothing, but every entry is small.
    Scan,
    /// To the records within a span.
    Span,
    /// To the records with a value.
    Value,
    /// To a few records.
    Few,
}

/// The index that a query is made to use on SQLite. The choice is ours and not SQLite's, so that it is the same for every store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Index {
    /// The primary key.
    Key,
    /// The one with that name.
    Named(&'static str),
    /// Those that SQLite chooses, for views.
    Any,
}

impl Index {
    /// What follows the name of the table on SQLite.
    pub(in crate::store) fn sql(self, table: &str) -> String {
        match self {
            Self::Key => format!("INDEXED BY sqlite_autoindex_{table}_1"),
            Self::Named(name) => format!("INDEXED BY {name}"),
            Self::Any => String::new(),
        }
    }
}

/// A table beside a list, whose records name records of the list.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Beside {
    /// The table.
    pub(in crate::store) table: &'static str,
    /// Its column that names a record of the list.
    pub(in crate::store) key: &'static str,
    /// Its folded column.
    pub(in crate::store) folded: &'static str,
    /// Its index that has both.
    pub(in crate::store) index: Index,
}

/// Conditions that all hold, within a scope: the tenant, which is the first parameter, and perhaps a record that the
/// list belongs to.
#[derive(Debug)]
pub(in crate::store) struct Conditions {
    dialect: Dialect,
    scope: String,
    sql: String,
    parameters: Vec<Value>,
    best: Option<(Reach, Index)>,
    count: usize,
    is_active: Option<bool>,
    /// Whether a condition makes SQLite look through a whole table beside the list.
    looks_beside: bool,
    /// A column that names accounts which may not be seen, and what stands for it in an order.
    hidden: Option<(&'static str, String)>,
}

impl Conditions {
    pub(in crate::store) fn of(dialect: Dialect, tenant: TenantId) -> Self {
        Self::within_scope(dialect, tenant, &[])
    }

    /// Of the records that belong to another: `column` is what names it.
    pub(in crate::store) fn within_scope(dialect: Dialect, tenant: TenantId, owner: &[(&'static str, i64)]) -> Self {
        let mut conditions = Self {
            dialect,
            scope: format!("tenant_id = {}", dialect.parameter(1)),
            sql: String::new(),
            parameters: vec![Value::Integer(tenant.0.into())],
            best: None,
            count: 0,
            is_active: None,
            looks_beside: false,
            hidden: None,
        };
        for (column, value) in owner {
            conditions.parameters.push(Value::Integer(*value));
            let parameter = dialect.parameter(conditions.parameters.len());
            conditions.scope = format!("{} AND {column} = {parameter}", conditions.scope);
        }
        conditions
    }

    /// Whether there are none besides the scope.
    pub(in crate::store) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What `is_active` must be, if that is the only condition.
    pub(in crate::store) fn only_active(&self) -> Option<bool> {
        self.is_active.filter(|_| self.count == 1)
    }

    /// Whether every record of the tenant, or about as many others, are looked at.
    pub(in crate::store) fn scans(&self) -> bool {
        self.looks_beside || self.best.is_some_and(|(reach, _)| reach == Reach::Scan)
    }

    /// What they are said in.
    pub(in crate::store) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The scope alone.
    pub(in crate::store) fn scope(&self) -> &str {
        &self.scope
    }

    /// The scope and the conditions.
    pub(in crate::store) fn sql(&self) -> String {
        format!("{}{}", self.scope, self.sql)
    }

    pub(in crate::store) fn parameters(&self) -> &[Value] {
        &self.parameters
    }

    /// The index that narrows down most.
    pub(in crate::store) fn index(&self) -> Option<Index> {
        self.best.map(|(_, index)| index)
    }

    /// Adds a condition in which each `?` stands for a parameter, in turn, and `?1` for the tenant.
    pub(in crate::store) fn add(
        &mut self,
        sql: &str,
        parameters: impl IntoIterator<Item = Value>,
        index: Option<(Reach, Index)>,
    ) {
        self.sql.push_str(" AND ");
        let mut parameters = parameters.into_iter();
        let mut pieces = sql.split('?');
        self.sql.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let rest = piece.strip_prefix('1');
            if rest.is_none() {
                self.parameters.extend(parameters.next());
            }
            let number = if rest.is_some() { 1 } else { self.parameters.len() };
            self.sql.push_str(&self.dialect.parameter(number));
            self.sql.push_str(rest.unwrap_or(piece));
        }
        if let Some((reach, _)) = index
            && self.best.is_none_or(|(best, _)| reach > best)
        {
            self.best = index;
        }
        self.count += 1;
    }

    /// Active records only, or inactive ones only.
    pub(in crate::store) fn active(&mut self, value: Option<bool>, index: Index) {
        self.equal("is_active", value, Some((Reach::Half, index)));
        self.is_active = value;
    }

    pub(in crate::store) fn equal(
        &mut self,
        column: &str,
        value: Option<impl Into<Value>>,
        index: Option<(Reach, Index)>,
    ) {
        if let Some(value) = value {
            self.add(&format!("{column} = ?"), [value.into()], index);
        }
    }

    /// A text of which `value` is a part, in any letter case; `column` is folded.
    pub(in crate::store) fn contains(&mut self, column: &str, value: Option<&str>, index: Index) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.add(&self.dialect.contains(column, "?"), [fold(value).into()], Some((Reach::Scan, index)));
        }
    }

    /// One that a table beside the list names in a record with a text of which `value` is a part; `index` is that of the list
    /// then.
    pub(in crate::store) fn contains_beside(
        &mut self,
        column: &str,
        beside: Beside,
        value: Option<&str>,
        index: Index,
    ) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let Beside { table, key, folded, index: of_table } = beside;
            let of_table = if self.dialect == Dialect::Sqlite { of_table.sql(table) } else { String::new() };
            let contains = self.dialect.contains(folded, "?");
            let sql = format!("{column} IN (SELECT {key} FROM {table} {of_table} WHERE tenant_id = ?1 AND {contains})");
            self.add(&sql, [fold(value).into()], Some((Reach::Value, index)));
            self.looks_beside = true;
        }
    }

    /// A text that is `value` in any letter case; `column` is folded.
    pub(in crate::store) fn text(&mut self, column: &str, value: Option<&str>, index: Index) {
        self.equal(column, value.map(fold), Some((Reach::Few, index)));
    }

    pub(in crate::store) fn within(&mut self, column: &str, range: TimeRange, index: Index) {
        let mut bound = |comparison: &str, moment: Option<Timestamp>| {
            if let Some(moment) = moment {
                let parameter = [moment.as_microsecond().into()];
                self.add(&format!("{column} {comparison} ?"), parameter, Some((Reach::Span, index)));
            }
        };
        bound(">=", range.from);
        bound("<=", range.to);
    }

    /// One of `ids`; any when there are none.
    pub(in crate::store) fn one_of(&mut self, column: &str, ids: &[i32], index: Index) {
        if !ids.is_empty() {
            self.among(column, ids, (Reach::Few, index));
        }
    }

    /// None of `ids`.
    pub(in crate::store) fn none_of(&mut self, column: &str, ids: &[i32]) {
        if !ids.is_empty() {
            let sql = format!("NOT ({})", self.dialect.among(column, "?"));
            self.add(&sql, [array(ids)], None);
        }
    }

    /// An account that may be seen.
    pub(in crate::store) fn visible(&mut self, column: &str, visibility: &Visibility, index: Index) {
        match visibility {
            Visibility::All => {}
            Visibility::Accounts(accounts) => self.among(column, accounts, (Reach::Few, index)),
        }
    }

    /// The same, where `other` names other accounts: those that may not be seen are none in the order of the list.
    pub(in crate::store) fn visible_with(
        &mut self,
        column: &str,
        other: &'static str,
        visibility: &Visibility,
        index: Index,
    ) {
        self.visible(column, visibility, index);
        if visibility.is_limited() {
            let parameter = self.dialect.parameter(self.parameters.len());
            let is_seen = self.dialect.among(other, &parameter);
            self.hidden = Some((other, format!("CASE WHEN {is_seen} THEN {other} END")));
        }
    }

    /// What a list is ordered by in place of a column, when that names accounts that may not be seen.
    pub(in crate::store) fn shown(&self, column: &str) -> Option<&str> {
        self.hidden.as_ref().filter(|(hidden, _)| *hidden == column).map(|(_, shown)| shown.as_str())
    }

    /// One of `ids`; none when there are none.
    pub(in crate::store) fn among(&mut self, column: &str, ids: &[i32], index: (Reach, Index)) {
        let sql = self.dialect.among(column, "?");
        self.add(&sql, [array(ids)], Some(index));
    }
}

/// Ids as a JSON array, which SQL can take apart.
pub(in crate::store) fn array<T: std::fmt::Display>(ids: &[T]) -> Value {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    Value::Text(format!("[{}]", ids.join(",")))
}
