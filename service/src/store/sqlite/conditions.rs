//! The conditions of a query, and the index that narrows it down most.

use jiff::Timestamp;
use rusqlite::types::Value;

use super::fold::fold;
use crate::domain::{account::TimeRange, caller::Visibility, tenant::TenantId};

/// How far an index narrows a list down; the greatest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
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

/// The index that a query is made to use. The choice is ours and not SQLite's, so that it is the same for every store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// The primary key.
    Key,
    /// The one with that name.
    Named(&'static str),
    /// Those that SQLite chooses, for views.
    Any,
}

impl Index {
    /// What follows the name of the table.
    pub(super) fn sql(self, table: &str) -> String {
        match self {
            Self::Key => format!("INDEXED BY sqlite_autoindex_{table}_1"),
            Self::Named(name) => format!("INDEXED BY {name}"),
            Self::Any => String::new(),
        }
    }
}

/// Conditions that all hold, within a scope: the tenant, which is the first parameter, and perhaps a record that the
/// list belongs to.
#[derive(Debug)]
pub(super) struct Conditions {
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
    pub(super) fn of(tenant: TenantId) -> Self {
        Self::within_scope(tenant, &[])
    }

    /// Of the records that belong to another: `column` is what names it.
    pub(super) fn within_scope(tenant: TenantId, owner: &[(&'static str, i64)]) -> Self {
        let mut conditions = Self {
            scope: "tenant_id = ?1".into(),
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
            conditions.scope = format!("{} AND {column} = ?{}", conditions.scope, conditions.parameters.len());
        }
        conditions
    }

    /// Whether there are none besides the scope.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What `is_active` must be, if that is the only condition.
    pub(super) fn only_active(&self) -> Option<bool> {
        self.is_active.filter(|_| self.count == 1)
    }

    /// Whether every record of the tenant, or about as many others, are looked at.
    pub(super) fn scans(&self) -> bool {
        self.looks_beside || self.best.is_some_and(|(reach, _)| reach == Reach::Scan)
    }

    /// The scope alone.
    pub(super) fn scope(&self) -> &str {
        &self.scope
    }

    /// The scope and the conditions.
    pub(super) fn sql(&self) -> String {
        format!("{}{}", self.scope, self.sql)
    }

    pub(super) fn parameters(&self) -> &[Value] {
        &self.parameters
    }

    /// The index that narrows down most.
    pub(super) fn index(&self) -> Option<Index> {
        self.best.map(|(_, index)| index)
    }

    /// Adds a condition in which each `?` stands for a parameter, in turn, and `?1` for the tenant.
    pub(super) fn add(
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
            self.sql.push('?');
            if !piece.starts_with('1') {
                self.parameters.extend(parameters.next());
                self.sql.push_str(&self.parameters.len().to_string());
            }
            self.sql.push_str(piece);
        }
        if let Some((reach, _)) = index
            && self.best.is_none_or(|(best, _)| reach > best)
        {
            self.best = index;
        }
        self.count += 1;
    }

    /// Active records only, or inactive ones only.
    pub(super) fn active(&mut self, value: Option<bool>, index: Index) {
        self.equal("is_active", value, Some((Reach::Half, index)));
        self.is_active = value;
    }

    pub(super) fn equal(&mut self, column: &str, value: Option<impl Into<Value>>, index: Option<(Reach, Index)>) {
        if let Some(value) = value {
            self.add(&format!("{column} = ?"), [value.into()], index);
        }
    }

    /// A text of which `value` is a part, in any letter case; `column` is folded.
    pub(super) fn contains(&mut self, column: &str, value: Option<&str>, index: Index) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.add(&format!("instr({column}, ?) > 0"), [fold(value).into()], Some((Reach::Scan, index)));
        }
    }

    /// A condition on a table beside the list, in which `value` is looked for; `index` is that of the list then.
    pub(super) fn contains_beside(&mut self, sql: &str, value: Option<&str>, index: Index) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.add(sql, [fold(value).into()], Some((Reach::Value, index)));
            self.looks_beside = true;
        }
    }

    /// A text that is `value` in any letter case; `column` is folded.
    pub(super) fn text(&mut self, column: &str, value: Option<&str>, index: Index) {
        self.equal(column, value.map(fold), Some((Reach::Few, index)));
    }

    pub(super) fn within(&mut self, column: &str, range: TimeRange, index: Index) {
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
    pub(super) fn one_of(&mut self, column: &str, ids: &[i32], index: Index) {
        if !ids.is_empty() {
            self.among(column, ids, (Reach::Few, index));
        }
    }

    /// None of `ids`.
    pub(super) fn none_of(&mut self, column: &str, ids: &[i32]) {
        if !ids.is_empty() {
            self.add(&format!("{column} NOT IN (SELECT value FROM json_each(?))"), [array(ids)], None);
        }
    }

    /// An account that may be seen.
    pub(super) fn visible(&mut self, column: &str, visibility: &Visibility, index: Index) {
        match visibility {
            Visibility::All => {}
            Visibility::Accounts(accounts) => self.among(column, accounts, (Reach::Few, index)),
        }
    }

    /// The same, where `other` names other accounts: those that may not be seen are none in the order of the list.
    pub(super) fn visible_with(&mut self, column: &str, other: &'static str, visibility: &Visibility, index: Index) {
        self.visible(column, visibility, index);
        if visibility.is_limited() {
            let parameter = self.parameters.len();
            let accounts = format!("SELECT value FROM json_each(?{parameter})");
            self.hidden = Some((other, format!("CASE WHEN {other} IN ({accounts}) THEN {other} END")));
        }
    }

    /// What a list is ordered by in place of a column, when that names accounts that may not be seen.
    pub(super) fn shown(&self, column: &str) -> Option<&str> {
        self.hidden.as_ref().filter(|(hidden, _)| *hidden == column).map(|(_, shown)| shown.as_str())
    }

    /// One of `ids`; none when there are none.
    pub(super) fn among(&mut self, column: &str, ids: &[i32], index: (Reach, Index)) {
        self.add(&format!("{column} IN (SELECT value FROM json_each(?))"), [array(ids)], Some(index));
    }
}

/// Ids as a JSON array, which SQL can take apart.
pub(super) fn array<T: std::fmt::Display>(ids: &[T]) -> Value {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    Value::Text(format!("[{}]", ids.join(",")))
}
