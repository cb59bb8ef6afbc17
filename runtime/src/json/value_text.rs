//! Conversions of JSON values: to text, and from other types.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::{Number, Value, from_slice, to_vec};
use crate::violation::Violations;

impl fmt::Display for Value {
    /// The value as compact JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&to_vec(self)))
    }
}

impl FromStr for Value {
    type Err = Violations;

    fn from_str(text: &str) -> Result<Self, Violations> {
        from_slice(text.as_bytes())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Number(value.into())
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Number(value.into())
    }
}

impl From<f64> for Value {
    /// Infinities and NaN become `null`: JSON cannot represent them.
    fn from(value: f64) -> Self {
        Number::from_f64(value).map_or(Self::Null, Self::Number)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<BTreeMap<String, T>> for Value {
    fn from(members: BTreeMap<String, T>) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name, value.into())).collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
