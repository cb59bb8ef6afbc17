//! One value of a row, read as what a member of a record holds.

use generated_server::{models::LogType, runtime::json::Maybe};
use jiff::Timestamp;

use super::names::{Names, Table};
use crate::store::Error;

/// A value of a row, as a database keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::store) enum Datum<'a> {
    /// Nothing.
    Null,
    /// A whole number, a boolean (0 or 1), or a moment in microseconds since 1970.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text, or JSON.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
}

impl Datum<'_> {
    /// How many bytes of text it has.
    pub(in crate::store) fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Null | Self::Integer(_) | Self::Real(_) => 0,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Integer(_) => "a whole number",
            Self::Real(_) => "a number",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
        }
    }
}

/// A value, and the names that ids among the values stand for.
#[derive(Clone, Copy)]
pub(in crate::store) struct Cell<'a> {
    pub(in crate::store) value: Datum<'a>,
    pub(in crate::store) names: &'a Names,
}

/// What a value can be read as.
pub(in crate::store) trait FromCell: Sized {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error>;
}

impl Cell<'_> {
    pub(in crate::store) fn read<T: FromCell>(self) -> Result<T, Error> {
        T::from_cell(self)
    }

    /// The name of the id that is the value.
    pub(in crate::store) fn name(self, table: Table) -> Result<Maybe<String>, Error> {
        Ok(match self.read::<Option<i32>>()?.and_then(|id| self.names.get(table, id)) {
            Some(name) => Maybe::Value(name.to_owned()),
            None => Maybe::Null,
        })
    }

    fn unexpected<T>(self, expected: &str) -> Result<T, Error> {
        Err(Error::Damaged(format!("the store holds {} where {expected} belongs", self.value.kind())))
    }
}

impl FromCell for i64 {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            Datum::Integer(number) => Ok(number),
            _ => cell.unexpected("a whole number"),
        }
    }
}

impl FromCell for i32 {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        i64::from_cell(cell)?.try_into().or_else(|_| cell.unexpected("a small whole number"))
    }
}

impl FromCell for bool {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        Ok(i64::from_cell(cell)? != 0)
    }
}

impl FromCell for f64 {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            Datum::Real(number) => Ok(number),
            _ => cell.unexpected("a number"),
        }
    }
}

impl FromCell for String {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            Datum::Text(text) => Ok(text.to_owned()),
            _ => cell.unexpected("text"),
        }
    }
}

impl FromCell for Timestamp {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        Self::from_microsecond(i64::from_cell(cell)?).or_else(|_| cell.unexpected("a moment"))
    }
}

impl FromCell for uuid::Uuid {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            Datum::Bytes(bytes) => Self::from_slice(bytes).or_else(|_| cell.unexpected("a UUID")),
            _ => cell.unexpected("a UUID"),
        }
    }
}

impl<T: FromCell> FromCell for Option<T> {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            Datum::Null => Ok(None),
            _ => T::from_cell(cell).map(Some),
        }
    }
}

impl<T: FromCell> FromCell for Maybe<T> {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            Datum::Null => Ok(Self::Null),
            _ => T::from_cell(cell).map(Self::Value),
        }
    }
}

impl FromCell for LogType {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match i64::from_cell(cell)? {
            0 => Ok(Self::Information),
            1 => Ok(Self::Warning),
            2 => Ok(Self::Error),
            other => Err(Error::Damaged(format!("the store holds a log line of type {other}"))),
        }
    }
}
