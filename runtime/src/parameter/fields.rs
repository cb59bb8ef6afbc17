//! Writing structs as named texts.

use std::collections::BTreeMap;

use super::nested::outer;
use super::{Field, Raw, ToParameter};
use crate::json::{Maybe, Write};

/// The named texts of a struct being written.
#[derive(Debug, Default)]
pub struct Fields<'a> {
    fields: Vec<Field<'a>>,
}

impl<'a> Fields<'a> {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a member.
    pub fn required<T: ToParameter + ?Sized>(&mut self, name: &'a str, value: &'a T) {
        self.add(name, value.to_parameter());
    }

    pub(super) fn add(&mut self, name: &'a str, raw: Raw<'a>) {
        match raw {
            Raw::Text(text) => self.fields.push(Field::new(name, text)),
            Raw::List(texts) => {
                let items = texts.into_iter().map(|text| Field { is_item: true, ..Field::new(name, text) });
                self.fields.extend(items);
            }
            Raw::Fields(fields) => {
                let inner = fields.into_iter().map(|field| Field { name: outer(name, &field.name).into(), ..field });
                self.fields.extend(inner);
            }
        }
    }

    /// Adds a member, unless it has no value.
    pub fn optional<T: ToParameter>(&mut self, name: &'a str, value: &'a Option<T>) {
        if let Some(value) = value {
            self.required(name, value);
        }
    }

    /// Adds a member; `null` has no representation in parameters and is omitted.
    pub fn maybe<T: ToParameter>(&mut self, name: &'a str, value: &'a Maybe<T>) {
        if let Maybe::Value(value) = value {
            self.required(name, value);
        }
    }

    /// Adds a boxed member of a recursive type, unless it has no value.
    pub fn optional_boxed<T: ToParameter>(&mut self, name: &'a str, value: &'a Option<Box<T>>) {
        if let Some(value) = value {
            self.required(name, value.as_ref());
        }
    }

    /// Adds a boxed member of a recursive type; `null` has no representation in parameters and is omitted.
    pub fn maybe_boxed<T: ToParameter>(&mut self, name: &'a str, value: &'a Maybe<Box<T>>) {
        if let Maybe::Value(value) = value {
            self.required(name, value.as_ref());
        }
    }

    /// Adds the additional members.
    pub fn entries<T: ToParameter>(&mut self, entries: &'a BTreeMap<String, T>) {
        for (name, value) in entries {
            self.required(name, value);
        }
    }

    /// Adds a member as JSON.
    pub fn required_json<T: Write + ?Sized>(&mut self, name: &'a str, value: &T) {
        self.add(name, Raw::json(value));
    }

    /// Adds a member as JSON, unless it has no value.
    pub fn optional_json<T: Write>(&mut self, name: &'a str, value: &Option<T>) {
        if let Some(value) = value {
            self.required_json(name, value);
        }
    }

    /// Adds a member as JSON; `null` is omitted, as in every parameter.
    pub fn maybe_json<T: Write>(&mut self, name: &'a str, value: &Maybe<T>) {
        if let Maybe::Value(value) = value {
            self.required_json(name, value);
        }
    }

    /// Adds the additional members as JSON.
    pub fn json_entries<T: Write>(&mut self, entries: &'a BTreeMap<String, T>) {
        for (name, value) in entries {
            self.required_json(name, value);
        }
    }

    /// The texts.
    pub fn into_raw(self) -> Raw<'a> {
        Raw::Fields(self.fields)
    }
}
