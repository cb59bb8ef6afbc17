//! Statements in the syntax of PostgreSQL: `$1` is the first value.

use std::{
    borrow::{Borrow, Cow},
    ops::RangeInclusive,
};

use super::value::{FromValue, Row, Value};
use crate::{
    domain::caller::Visibility,
    store::{Error, text::fold},
};

/// A statement and its values.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sql: Cow<'static, str>,
    pub(super) values: Vec<Value>,
}

/// The kind of database, where their SQL differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

/// A conjunction of conditions.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    pub(super) dialect: Dialect,
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
    /// The length of the SQL for the tenant and the owner.
    scope: usize,
    /// The required value of `is_active`, if that is the only condition besides the tenant and the owner.
    pub(super) only_active: Option<bool>,
    /// Whether only the records of one owner, or those with given ids, can match.
    pub(super) is_narrow: bool,
    /// A column that refers to accounts of which some are invisible, and its replacement in the order of
    /// lists.
    hidden: Option<(&'static str, String)>,
}

/// The first condition of every list.
const SCOPE: &str = "tenant_id = $1";

impl Statement {
    pub(super) fn new(sql: impl Into<Cow<'static, str>>, values: impl Into<Vec<Value>>) -> Self {
        Self { sql: sql.into(), values: values.into() }
    }

    /// Inserts rows into a table; `end` is appended to the statement. PostgreSQL gets several rows at once, as
    /// JSON. SQLite gets one statement per row, which is prepared once.
    pub(super) fn insert(
        dialect: Dialect,
        table: &str,
        columns: &[impl Borrow<str>],
        rows: impl Iterator<Item = Vec<Value>>,
        end: &str,
    ) -> Vec<Self> {
        let names = columns.join(", ");
        let rows: Vec<_> = rows.collect();
        if dialect == Dialect::Sqlite || rows.len() < 2 {
            let sql = format!("INSERT INTO {table} ({names}) VALUES ({}){end}", placeholders(1..=columns.len()));
            return rows.into_iter().map(|values| Self::new(sql.clone(), values)).collect();
        }
        let row = |values: Vec<Value>| -> serde_json::Value {
            let members = columns.iter().map(|column| column.borrow().to_owned()).zip(values.iter().map(json));
            members.collect::<serde_json::Map<_, _>>().into()
        };
        let sql = format!(
            "INSERT INTO {table} ({names}) SELECT {names} FROM json_populate_recordset(NULL::{table}, $1){end}"
        );
        vec![Self::new(sql, [array(rows.into_iter().map(row))])]
    }
}

/// A statement without values.
impl<T: Into<Cow<'static, str>>> From<T> for Statement {
    fn from(sql: T) -> Self {
        Self::new(sql, [])
    }
}

impl Dialect {
    /// The condition that `column` is one of the integers in a JSON array, the parameter `array`.
    pub(super) fn among(self, column: &str, array: &str) -> String {
        self.among_values(column, array, "value::bigint")
    }

    /// The condition that `column` is one of the texts in a JSON array, the parameter `array`.
    pub(super) fn among_texts(self, column: &str, array: &str) -> String {
        self.among_values(column, array, "value")
    }

    fn among_values(self, column: &str, array: &str, value: &str) -> String {
        match self {
            Self::Sqlite => format!("{column} IN (SELECT value FROM json_each({array}))"),
            // The array is built once and looked up in an index.
            Self::Postgres => {
                format!("{column} = ANY (ARRAY(SELECT {value} FROM json_array_elements_text({array}::text::json)))")
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
    /// Records of a tenant, which is `$1`.
    pub(super) fn new(dialect: Dialect, tenant: i32) -> Self {
        Self {
            dialect,
            sql: SCOPE.into(),
            scope: SCOPE.len(),
            values: vec![tenant.into()],
            only_active: None,
            is_narrow: false,
            hidden: None,
        }
    }

    /// Records that belong to another record.
    pub(super) fn of(mut self, column: &str, owner: impl Into<Value>) -> Self {
        self.add(&format!("{column} = ?"), [owner.into()]);
        self.scope = self.sql.len();
        self.is_narrow = true;
        self
    }

    /// The conditions for the tenant and the owner only.
    pub(super) fn scope(&self) -> &str {
        &self.sql[..self.scope]
    }

    /// Whether there are no conditions besides the tenant and the owner.
    pub(super) fn is_empty(&self) -> bool {
        self.sql.len() == self.scope
    }

    /// Counts the records of a table that satisfy them.
    pub(super) fn count(&self, table: &str) -> Statement {
        Statement::new(format!("SELECT count(*) FROM {table} WHERE {}", self.sql), self.values.clone())
    }

    /// Adds a condition; each `?` stands for the next value.
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
        self.only_active = None;
    }

    pub(super) fn equal(&mut self, column: &str, value: Value) {
        let is_active = value.as_integer().filter(|_| column == "is_active" && self.is_empty());
        self.add(&format!("{column} = ?"), [value]);
        self.is_narrow |= column == "id";
        self.only_active = is_active.map(|is_active| is_active != 0);
    }

    /// Searches for a part of a text, in any letter case, by a condition on the folded text.
    pub(super) fn contains(&mut self, condition: &str, part: &str) {
        if !part.is_empty() {
            self.add(condition, [fold(part).into()]);
        }
    }

    /// Requires one of `ids`; an empty list matches nothing.
    pub(super) fn among(&mut self, column: &str, ids: &[i32]) {
        self.add(&self.dialect.among(column, "?"), [array(ids.iter().copied())]);
        self.is_narrow |= column == "id";
    }

    /// Excludes `ids`.
    pub(super) fn none_of(&mut self, column: &str, ids: &[i32]) {
        self.add(&format!("NOT ({})", self.dialect.among(column, "?")), [array(ids.iter().copied())]);
    }

    /// Requires a visible account. The column `other`, if any, refers to other accounts, of which invisible ones are ordered as
    /// NULL.
    pub(super) fn visible(&mut self, column: &str, other: Option<&'static str>, visibility: &Visibility) {
        if let Some(accounts) = visibility.accounts() {
            self.among(column, accounts);
            let is_seen = |other| self.dialect.among(other, &format!("${}", self.values.len()));
            self.hidden = other.map(|other| (other, format!("CASE WHEN {} THEN {other} END", is_seen(other))));
        }
    }

    /// The replacement of a column in the order of a list, if some of its accounts are invisible.
    pub(super) fn shown(&self, column: &str) -> Option<&str> {
        self.hidden.as_ref().filter(|(hidden, _)| *hidden == column).map(|(_, shown)| shown.as_str())
    }
}

/// A JSON array for SQL.
pub(super) fn array<T: Into<serde_json::Value>>(items: impl IntoIterator<Item = T>) -> Value {
    items.into_iter().collect::<serde_json::Value>().to_string().into()
}

/// Parameters of a statement: `$1, $2`.
pub(super) fn placeholders(positions: RangeInclusive<usize>) -> String {
    positions.map(|position| format!("${position}")).collect::<Vec<_>>().join(", ")
}

/// The first value of the first row, unless there is none or it is NULL.
pub(super) fn first<T: FromValue>(rows: &[Row]) -> Result<Option<T>, Error> {
    rows.first().map_or(Ok(None), |row| row.get(0))
}

/// A value as PostgreSQL expects it in JSON.
pub(super) fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bytes(bytes) => bytes.iter().fold("\\x".to_owned(), |text, byte| text + &format!("{byte:02x}")).into(),
        Value::Integer(number) => (*number).into(),
        Value::Real(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
    }
}
