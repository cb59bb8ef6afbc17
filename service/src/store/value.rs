//! Values of statements and rows, for both databases.

use std::{collections::BTreeMap, fmt};

use generated_server::{
    models::LogType,
    runtime::json::{self, Maybe},
};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

use super::Error;
use crate::domain::moment;

/// A value of a statement or a row.
#[derive(Clone, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// A whole number, a boolean (0 or 1), or a moment in microseconds since 1970.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text, or JSON.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// One row of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row(pub(super) Vec<Value>);

/// What a value can be read as.
pub(super) trait FromValue: Sized {
    fn from_value(value: Value) -> Result<Self, Error>;
}

impl Row {
    /// The value at a position.
    pub(super) fn get<T: FromValue>(&self, position: usize) -> Result<T, Error> {
        T::from_value(self.0.get(position).cloned().unwrap_or_default())
    }

    /// Takes the value at a position out of the row.
    pub(super) fn take<T: FromValue>(&mut self, position: usize) -> Result<T, Error> {
        T::from_value(self.0.get_mut(position).map(std::mem::take).unwrap_or_default())
    }
}

impl Value {
    /// The value as a type.
    pub(super) fn read<T: FromValue>(self) -> Result<T, Error> {
        T::from_value(self)
    }

    /// The whole number, if it is one.
    pub(super) fn as_integer(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }

    /// The number of bytes of a text, or of bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Null | Self::Integer(_) | Self::Real(_) => 0,
        }
    }

    fn unexpected<T>(&self, expected: &str) -> Result<T, Error> {
        Err(Error::Damaged(format!("the store holds {self:?} where {expected} belongs")))
    }
}

/// Shows a value of a key.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(formatter),
            Self::Real(number) => number.fmt(formatter),
            Self::Text(text) => text.fmt(formatter),
            Self::Null | Self::Bytes(_) => Ok(()),
        }
    }
}

/// Shows the kind only: the values of statements are logged, and some are secrets.
impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Null => "nothing",
            Self::Integer(_) => "a whole number",
            Self::Real(_) => "a number",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
        })
    }
}

/// The values of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::store::value::Value::from($value)),*]
    };
}
pub(super) use values;

/// Values of each variant.
macro_rules! into_values {
    ($($variant:ident: $($ty:ty),+;)+) => {
        $($(impl From<$ty> for Value {
            fn from(value: $ty) -> Self {
                Self::$variant(value.into())
            }
        })+)+
    };
}

into_values! {
    Integer: bool, i32, u32, i64;
    Real: f64;
    Text: &str, &String, String;
    Bytes: [u8; 16], [u8; 32];
}

impl From<Timestamp> for Value {
    fn from(moment: Timestamp) -> Self {
        Self::Integer(moment.min(moment::LAST).as_microsecond())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Types that the content of a variant is converted to.
macro_rules! from_values {
    ($($ty:ty: $variant:ident, $expected:literal;)+) => {
        $(impl FromValue for $ty {
            fn from_value(value: Value) -> Result<Self, Error> {
                match value {
                    Value::$variant(inner) => inner.try_into().or_else(|_| Value::Null.unexpected($expected)),
                    _ => value.unexpected($expected),
                }
            }
        })+
    };
}

from_values! {
    i64: Integer, "a whole number";
    i32: Integer, "a small whole number";
    u64: Integer, "a number from 0";
    u32: Integer, "a small number from 0";
    f64: Real, "a number";
    String: Text, "text";
    Vec<u8>: Bytes, "bytes";
    [u8; 32]: Bytes, "32 bytes";
    uuid::Uuid: Bytes, "a UUID";
}

impl FromValue for bool {
    fn from_value(value: Value) -> Result<Self, Error> {
        Ok(i64::from_value(value)? != 0)
    }
}

impl FromValue for Timestamp {
    fn from_value(value: Value) -> Result<Self, Error> {
        Self::from_microsecond(i64::from_value(value)?).or_else(|_| Value::Null.unexpected("a moment"))
    }
}

impl FromValue for DateTime {
    /// The wall time in UTC.
    fn from_value(value: Value) -> Result<Self, Error> {
        Ok(TimeZone::UTC.to_datetime(Timestamp::from_value(value)?))
    }
}

impl FromValue for BTreeMap<String, json::Value> {
    fn from_value(value: Value) -> Result<Self, Error> {
        match value {
            Value::Null => Ok(Self::new()),
            Value::Text(text) => json::from_slice(text.as_bytes()).or_else(|_| Value::Null.unexpected("a JSON object")),
            _ => value.unexpected("a JSON object"),
        }
    }
}

impl FromValue for LogType {
    fn from_value(value: Value) -> Result<Self, Error> {
        let number = i64::from_value(value)?.to_string();
        json::from_slice(number.as_bytes()).or_else(|_| Value::Null.unexpected("a type of log lines"))
    }
}

impl FromValue for Value {
    fn from_value(value: Value) -> Result<Self, Error> {
        Ok(value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Result<Self, Error> {
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<T: FromValue> FromValue for Maybe<T> {
    fn from_value(value: Value) -> Result<Self, Error> {
        match value {
            Value::Null => Ok(Self::Null),
            value => T::from_value(value).map(Self::Value),
        }
    }
}
