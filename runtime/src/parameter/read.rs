//! Reading required and optional parameters.

use std::borrow::Cow;

use super::{FromParameter, Raw};
use crate::json::{Read, Reader};
use crate::text::Refusal;
use crate::violation::{Location, Notes};

impl Notes {
    /// Reads a required parameter.
    pub fn required_parameter<T: FromParameter>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
    ) -> Option<T> {
        let raw = self.required_raw(location, raw)?;
        T::from_parameter(raw, self)
    }

    /// Reads an optional parameter.
    pub fn optional_parameter<T: FromParameter>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
    ) -> Option<Option<T>> {
        match self.raw(location, raw)? {
            Some(raw) => T::from_parameter(raw, self).map(Some),
            None => Some(None),
        }
    }

    /// Reads a required parameter that is JSON.
    pub fn required_json_parameter<T: Read>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
    ) -> Option<T> {
        let raw = self.required_raw(location, raw)?;
        self.json(location, &raw, T::read)
    }

    /// Reads an optional parameter that is JSON.
    pub fn optional_json_parameter<T: Read>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
    ) -> Option<Option<T>> {
        match self.raw(location, raw)? {
            Some(raw) => self.json(location, &raw, T::read).map(Some),
            None => Some(None),
        }
    }

    /// The texts of a parameter, unless decoding its style failed.
    pub fn raw<'a>(&mut self, location: Location, raw: Result<Option<Raw<'a>>, Refusal>) -> Option<Option<Raw<'a>>> {
        self.turn_to(location);
        match raw {
            Ok(raw) => Some(raw),
            Err(refusal) => {
                self.note(refusal.code, refusal.detail);
                None
            }
        }
    }

    /// The texts of a required parameter.
    pub fn required_raw<'a>(&mut self, location: Location, raw: Result<Option<Raw<'a>>, Refusal>) -> Option<Raw<'a>> {
        let raw = self.raw(location, raw)?;
        if raw.is_none() {
            self.note("required", "is missing");
        }
        raw
    }

    /// Reads the JSON in a text.
    pub fn json<T>(
        &mut self,
        location: Location,
        raw: &Raw<'_>,
        read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
    ) -> Option<T> {
        let text = match raw {
            Raw::Text(text) => Cow::Borrowed(text.as_ref()),
            Raw::List(items) => Cow::Owned(format!("[{}]", items.join(","))),
            Raw::Fields(_) => {
                self.note("type", "has members, but is one value");
                return None;
            }
        };
        let document = Reader::strict(text.as_bytes()).at(location);
        match crate::json::read_document(document, read) {
            Ok(value) => Some(value),
            Err(violations) => {
                self.extend(violations);
                None
            }
        }
    }
}
