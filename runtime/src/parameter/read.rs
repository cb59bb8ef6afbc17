//! Reading required and optional parameters.

use super::{FromParameter, Raw};
use crate::json::Read;
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
        self.json_text(&raw)
    }

    /// Reads an optional parameter that is JSON.
    pub fn optional_json_parameter<T: Read>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
    ) -> Option<Option<T>> {
        match self.raw(location, raw)? {
            Some(raw) => self.json_text(&raw).map(Some),
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
}
