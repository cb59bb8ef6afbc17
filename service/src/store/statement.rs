//! Statements, written as PostgreSQL reads them: `$1` is the first value.

use std::borrow::Cow;

use super::value::{FromValue, Row, Value, hexadecimal};
use crate::{
    domain::{account::TimeRange, caller::Visibility},
    store::{Error, text::fold},
};

/// A statement and its values.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sql: Cow<'static, str>,
    pub(super) values: Vec<Value>,
}

/// The SQL of a kind of database, where the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

/// Conditions that all hold.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    dialect: Dialect,
    sql: String,
    /// How much of the SQL is the tenant and the owner.
    scope: usize,
    values: Vec<Value>,
    /// How many there are besides the tenant and the owner.
    count: usize,
    /// What `is_active` must be, when that is asked.
    is_active: Option<bool>,
    /// Whether the database has to look at records that do not match.
    searches: bool,
    /// A column that names accounts of which some may not be seen, and what lists are ordered by in its place.
    hidden: Option<(&'static str, String)>,
}

/// What the conditions of every list begin with.
const SCOPE: &str = "tenant_id = $1";

impl Statement {
    pub(super) fn new(sql: impl Into<Cow<'static, str>>, values: impl Into<Vec<Value>>) -> Self {
        Self { sql: sql.into(), values: values.into() }
    }

    /// Adds rows to a table; `end` follows them. PostgreSQL takes all rows at once, as JSON; SQLite has a statement for each, which is
    /// prepared once.
    pub(super) fn insert<'v>(
        dialect: Dialect,
        table: &str,
        columns: &[&str],
        rows: impl Iterator<Item = &'v [Value]>,
        end: &str,
    ) -> Vec<Self> {
        if dialect == Dialect::Sqlite {
            let places: Vec<_> = (1..=columns.len()).map(|position| format!("${position}")).collect();
            let sql = format!("INSERT INTO {table} ({}) VALUES ({}){end}", columns.join(", "), places.join(", "));
            return rows.map(|values| Self::new(sql.clone(), values)).collect();
        }
        let row = |values: &[Value]| -> serde_json::Value {
            let members = columns.iter().map(|column| (*column).to_owned()).zip(values.iter().map(json));
            members.collect::<serde_json::Map<_, _>>().into()
        };
        let (names, rows) = (columns.join(", "), serde_json::Value::Array(rows.map(row).collect()).to_string());
        let sql = format!(
            "INSERT INTO {table} ({names}) SELECT {names} FROM json_populate_recordset(NULL::{table}, $1){end}"
        );
        vec![Self::new(sql, vec![Value::from(rows)])]
    }

    /// The same, in an order.
    pub(super) fn ordered_by(mut self, columns: &str) -> Self {
        self.sql.to_mut().push_str(" ORDER BY ");
        self.sql.to_mut().push_str(columns);
        self
    }
}

impl Dialect {
    /// Whether `column` is one of the whole numbers in a JSON array, the parameter `array`.
    pub(super) fn among(self, column: &str, array: &str) -> String {
        match self {
            Self::Sqlite => format!("{column} IN (SELECT value FROM json_each({array}))"),
            // An array is made once, and looked up in an index.
            Self::Postgres => {
                format!(
                    "{column} = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text({array}::text::json)))"
                )
            }
        }
    }

    /// Whether `column` is one of the texts in a JSON array, the parameter `array`.
    pub(super) fn among_texts(self, column: &str, array: &str) -> String {
        match self {
            Self::Sqlite => self.among(column, array),
            Self::Postgres => {
                format!("{column} = ANY (ARRAY(SELECT value FROM json_array_elements_text({array}::text::json)))")
            }
        }
    }

    /// Locks the selected row until the end of the write. SQLite has one writer.
    pub(super) fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR NO KEY UPDATE",
        }
    }
}

impl Conditions {
    /// Of records of a tenant: `$1`.
    pub(super) fn new(dialect: Dialect, tenant: i32) -> Self {
        Self {
            dialect,
            sql: SCOPE.into(),
            scope: SCOPE.len(),
            values: vec![tenant.into()],
            count: 0,
            is_active: None,
            searches: false,
            hidden: None,
        }
    }

    /// Of records that belong to another one.
    pub(super) fn of(mut self, column: &str, owner: impl Into<Value>) -> Self {
        self.add(&format!("{column} = ?"), [owner.into()]);
        self.count -= 1;
        self.scope = self.sql.len();
        self
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn sql(&self) -> &str {
        &self.sql
    }

    /// The tenant and the owner alone.
    pub(super) fn scope(&self) -> &str {
        &self.sql[..self.scope]
    }

    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }

    /// Whether there are none besides the tenant and the owner.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What `is_active` must be, if that is the only condition.
    pub(super) fn only_active(&self) -> Option<bool> {
        self.is_active.filter(|_| self.count == 1)
    }

    /// Whether the database has to look at records that do not match.
    pub(super) fn searches(&self) -> bool {
        self.searches
    }

    /// Adds a condition in which each `?` stands for the next value.
    pub(super) fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push_str(" AND ");
        let mut values = values.into_iter();
        let mut pieces = sql.split('?');
        self.sql.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            self.values.extend(values.next());
            self.sql.push('$');
            self.sql.push_str(&self.values.len().to_string());
            self.sql.push_str(piece);
        }
        self.count += 1;
    }

    pub(super) fn equal(&mut self, column: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.add(&format!("{column} = ?"), [value.into()]);
        }
    }

    /// Active records only, or inactive ones only.
    pub(super) fn active(&mut self, value: Option<bool>) {
        self.equal("is_active", value);
        self.is_active = value;
    }

    /// A text that is `value` in any letter case; `column` is folded.
    pub(super) fn text(&mut self, column: &str, value: Option<&str>) {
        self.equal(column, value.map(fold));
    }

    /// A text of which `value` is a part, in any letter case; `column` is folded.
    pub(super) fn contains(&mut self, column: &str, value: Option<&str>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.add(&format!("instr({column}, ?) > 0"), [fold(value).into()]);
            self.searches = true;
        }
    }

    /// A record that `table` names in `key`, where `column` has `value` as a part.
    pub(super) fn contains_in(&mut self, own: &str, (table, key, column): (&str, &str, &str), value: Option<&str>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let sql = format!("{own} IN (SELECT {key} FROM {table} WHERE tenant_id = $1 AND instr({column}, ?) > 0)");
            self.add(&sql, [fold(value).into()]);
            self.searches = true;
        }
    }

    pub(super) fn within(&mut self, column: &str, range: TimeRange) {
        if let Some(from) = range.from {
            self.add(&format!("{column} >= ?"), [from.into()]);
        }
        if let Some(to) = range.to {
            self.add(&format!("{column} <= ?"), [to.into()]);
        }
    }

    /// One of `ids`; none when there are none.
    pub(super) fn among(&mut self, column: &str, ids: &[i32]) {
        self.add(&self.dialect.among(column, "?"), [array(ids)]);
    }

    /// One of `ids`; any when there are none.
    pub(super) fn one_of(&mut self, column: &str, ids: &[i32]) {
        if !ids.is_empty() {
            self.among(column, ids);
        }
    }

    /// None of `ids`.
    pub(super) fn none_of(&mut self, column: &str, ids: &[i32]) {
        if !ids.is_empty() {
            self.add(&format!("NOT ({})", self.dialect.among(column, "?")), [array(ids)]);
        }
    }

    /// An account that may be seen.
    pub(super) fn visible(&mut self, column: &str, visibility: &Visibility) {
        if let Visibility::Accounts(accounts) = visibility {
            self.among(column, accounts);
        }
    }

    /// The same, where `other` names other accounts: those that may not be seen are none in the order of the list.
    pub(super) fn visible_with(&mut self, column: &str, other: &'static str, visibility: &Visibility) {
        self.visible(column, visibility);
        if visibility.is_limited() {
            let is_seen = self.dialect.among(other, &format!("${}", self.values.len()));
            self.hidden = Some((other, format!("CASE WHEN {is_seen} THEN {other} END")));
        }
    }

    /// What a list is ordered by in place of a column that names accounts of which some may not be seen.
    pub(super) fn shown(&self, column: &str) -> Option<&str> {
        self.hidden.as_ref().filter(|(hidden, _)| *hidden == column).map(|(_, shown)| shown.as_str())
    }
}

/// Ids as a JSON array, which SQL can take apart.
pub(super) fn array<T: std::fmt::Display>(ids: &[T]) -> Value {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    Value::Text(format!("[{}]", ids.join(",")))
}

/// The first value of the first of the rows, if there is one.
pub(super) fn first<T: FromValue>(rows: &[Row]) -> Result<Option<T>, Error> {
    rows.first().map(|row| row.get(0)).transpose()
}

/// A value as PostgreSQL reads it in JSON.
fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bytes(bytes) => format!("\\x{}", hexadecimal(bytes)).into(),
        Value::Integer(number) => (*number).into(),
        Value::Real(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
    }
}
