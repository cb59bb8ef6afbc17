//! Any JSON value.

use std::collections::BTreeMap;

use super::{Entries, Kind, Members, Number, Read, Reader, Write, Writer};

/// Any JSON value; numbers are kept exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The number, if it is an `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// The number as the nearest `f64`, if it is a number.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().map(Number::as_f64)
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(value) => Some(value),
            _ => None,
        }
    }

    /// The items, if it is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&BTreeMap<String, Value>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member `name`, if it is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }
}

impl Read for Value {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        match json.kind() {
            Kind::Null => {
                json.null();
                Some(Self::Null)
            }
            Kind::Boolean => json.boolean().map(Self::Bool),
            Kind::Number => Number::read(json).map(Self::Number),
            Kind::String => String::read(json).map(Self::String),
            Kind::Array => Vec::read(json).map(Self::Array),
            Kind::Object => {
                const NO_MEMBERS: Members = Members::exact(&[]);
                let mut entries = Entries::new();
                json.object(&NO_MEMBERS, &mut |json, _| entries.read_entry(json))?;
                entries.finish().map(Self::Object)
            }
            Kind::Broken => None,
        }
    }
}

impl Write for Value {
    fn write(&self, json: &mut Writer) {
        match self {
            Self::Null => json.null(),
            Self::Bool(value) => value.write(json),
            Self::Number(value) => value.write(json),
            Self::String(value) => json.string(value),
            Self::Array(items) => items.write(json),
            Self::Object(members) => members.write(json),
        }
    }
}
