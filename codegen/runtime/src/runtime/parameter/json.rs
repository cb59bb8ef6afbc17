//! Members of parameters and forms that have no form as text: they are JSON in a text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Fields, Raw, ToParameter};
use crate::runtime::json::{Entries, Maybe, Member, Read, Reader, Write, read_document, to_vec};
use crate::runtime::violation::Notes;

/// The name of a variant, and how it is read.
type Attempt<T> = (&'static str, fn(Raw<'_>, &mut Notes) -> Option<T>);

impl Raw<'_> {
    /// The JSON of a value, as one text.
    pub fn json<T: Write + ?Sized>(value: &T) -> Self {
        Self::Text(Cow::Owned(String::from_utf8_lossy(&to_vec(value)).into_owned()))
    }
}

impl Notes {
    /// Reads a value from a text that is JSON; several texts are the items of an array.
    pub fn json_text<T: Read>(&mut self, raw: &Raw<'_>) -> Option<T> {
        self.json_text_with(raw, T::read)
    }

    /// The same with another way to read the value.
    pub(crate) fn json_text_with<T>(
        &mut self,
        raw: &Raw<'_>,
        read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
    ) -> Option<T> {
        let text = match raw {
            Raw::Text(text) => Cow::Borrowed(text.as_ref()),
            Raw::List(texts) => Cow::Owned(format!("[{}]", texts.join(","))),
            Raw::Fields(_) => {
                self.note("type", "has members, but is one value");
                return None;
            }
        };
        let document = Reader::strict(text.as_bytes()).at(self.location());
        match read_document(document, read) {
            Ok(value) => Some(value),
            Err(mut violations) => {
                let here = self.pointer();
                for violation in &mut violations {
                    violation.pointer.insert_str(0, &here);
                }
                self.extend(violations);
                None
            }
        }
    }

    /// The value that was read from `raw`, if the same is written for it: where a text may stand in the place of a number,
    /// `007` is one.
    pub fn exact<T: ToParameter>(&mut self, raw: &Raw<'_>, value: T) -> Option<T> {
        if value.to_parameter() == *raw {
            return Some(value);
        }
        self.note("type", "is not written as a number is");
        None
    }

    /// Reads the first of `variants`, each with its name, that can be read.
    pub fn first_of<T>(&mut self, raw: &Raw<'_>, variants: &[Attempt<T>]) -> Option<T> {
        let mut detail = "fits no variant".to_owned();
        for (index, (variant, read)) in variants.iter().enumerate() {
            let before = self.violations().len();
            let value = read(raw.clone(), self);
            // A value may be complete and have members that are not allowed.
            if let Some(value) = value.filter(|_| self.violations().len() == before) {
                return Some(value);
            }
            detail.push_str(if index == 0 { ": not " } else { "; not " });
            detail.push_str(variant);
            for violation in self.take_back(before).iter().take(1) {
                detail.push_str(", because it ");
                detail.push_str(&violation.detail);
            }
        }
        self.note("oneOf", detail);
        None
    }
}

impl<T: Read> Member<T> {
    /// Reads the text of a member, which is JSON.
    pub fn read_json_parameter(&mut self, raw: &Raw<'_>, at: &mut Notes) {
        *self = Self::of(at.json_text(raw));
    }
}

impl<T: Read> Entries<T> {
    /// Reads the text of a member that is not named, which is JSON.
    pub fn read_json_parameter_entry(&mut self, raw: &Raw<'_>, at: &mut Notes) {
        let value = at.json_text(raw);
        let name = at.key().unwrap_or_default().to_owned();
        self.add(name, value);
    }
}

impl<'a> Fields<'a> {
    /// Adds a member as JSON.
    pub fn required_json<T: Write + ?Sized>(&mut self, name: &'a str, value: &T) {
        self.add(name, Raw::json(value));
    }

    /// Adds a member as JSON; it is left out when there is no value.
    pub fn optional_json<T: Write>(&mut self, name: &'a str, value: &Option<T>) {
        if let Some(value) = value {
            self.required_json(name, value);
        }
    }

    /// Adds a member as JSON; `null` is left out, as it is from every parameter.
    pub fn maybe_json<T: Write>(&mut self, name: &'a str, value: &Maybe<T>) {
        if let Maybe::Value(value) = value {
            self.required_json(name, value);
        }
    }

    /// Adds the members that the description does not name, as JSON.
    pub fn json_entries<T: Write>(&mut self, entries: &'a BTreeMap<String, T>) {
        for (name, value) in entries {
            self.required_json(name, value);
        }
    }
}
