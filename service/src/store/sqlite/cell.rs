//! One value of a row, read as what a member of a record holds.

use generated_server::runtime::json::Maybe;
use jiff::Timestamp;
use rusqlite::types::ValueRef;

use super::names::{Names, Table};
use crate::store::Error;

/// A value, and the names that ids among the values stand for.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) value: ValueRef<'a>,
    pub(super) names: &'a Names,
}

/// What a value can be read as.
pub(super) trait FromCell: Sized {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error>;
}

impl Cell<'_> {
    pub(super) fn read<T: FromCell>(self) -> Result<T, Error> {
        T::from_cell(self)
    }

    /// The name of the id that is the value.
    pub(super) fn name(self, table: Table) -> Result<Maybe<String>, Error> {
        Ok(match self.read::<Option<i32>>()?.and_then(|id| self.names.get(table, id)) {
            Some(name) => Maybe::Value(name.to_owned()),
            None => Maybe::Null,
        })
    }

    fn unexpected<T>(self, expected: &str) -> Result<T, Error> {
        Err(Error::Damaged(format!("the store holds {:?} where {expected} belongs", self.value.data_type())))
    }
}

impl FromCell for i64 {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            ValueRef::Integer(number) => Ok(number),
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
            ValueRef::Real(number) => Ok(number),
            _ => cell.unexpected("a number"),
        }
    }
}

impl FromCell for String {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            ValueRef::Text(text) => {
                std::str::from_utf8(text).map(str::to_owned).or_else(|_| cell.unexpected("text in UTF-8"))
            }
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
            ValueRef::Blob(bytes) => Self::from_slice(bytes).or_else(|_| cell.unexpected("a UUID")),
            _ => cell.unexpected("a UUID"),
        }
    }
}

impl<T: FromCell> FromCell for Option<T> {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            ValueRef::Null => Ok(None),
            _ => T::from_cell(cell).map(Some),
        }
    }
}

impl<T: FromCell> FromCell for Maybe<T> {
    fn from_cell(cell: Cell<'_>) -> Result<Self, Error> {
        match cell.value {
            ValueRef::Null => Ok(Self::Null),
            _ => T::from_cell(cell).map(Self::Value),
        }
    }
}
