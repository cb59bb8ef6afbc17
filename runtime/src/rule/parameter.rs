//! Reads parameters with their rules.

use super::{Check, Rule, read_checked};
use crate::json::Read;
use crate::parameter::{FromParameter, Raw};
use crate::text::{FromText, Refusal};
use crate::violation::{Location, Notes};

impl Notes {
    /// Reads and checks a required parameter.
    pub fn required_checked<T: FromParameter + Check>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
        rules: &[Rule<'_>],
    ) -> Option<T> {
        let value: T = self.required_parameter(location, raw)?;
        value.check(rules, self).then_some(value)
    }

    /// Reads and checks an optional parameter.
    pub fn optional_checked<T: FromParameter + Check>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
        rules: &[Rule<'_>],
    ) -> Option<Option<T>> {
        let value: Option<T> = self.optional_parameter(location, raw)?;
        value.check(rules, self).then_some(value)
    }

    /// Reads and checks a required parameter that is JSON.
    pub fn required_json_checked<T: Read + Check>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
        rules: &[Rule<'_>],
    ) -> Option<T> {
        let raw = self.required_raw(location, raw)?;
        self.json_text_with(&raw, |json| read_checked(json, rules))
    }

    /// Reads and checks an optional parameter that is JSON.
    pub fn optional_json_checked<T: Read + Check>(
        &mut self,
        location: Location,
        raw: Result<Option<Raw<'_>>, Refusal>,
        rules: &[Rule<'_>],
    ) -> Option<Option<T>> {
        match self.raw(location, raw)? {
            Some(raw) => self.json_text_with(&raw, |json| read_checked(json, rules)).map(Some),
            None => Some(None),
        }
    }

    /// Reads and checks one of several values in a parameter.
    pub fn parameter_checked<T: FromParameter + Check>(&mut self, raw: Raw<'_>, rules: &[Rule<'_>]) -> Option<T> {
        T::from_parameter(raw, self).filter(|value| value.check(rules, self))
    }

    /// Reads and checks a value from JSON text.
    pub fn json_text_checked<T: Read + Check>(&mut self, raw: &Raw<'_>, rules: &[Rule<'_>]) -> Option<T> {
        self.json_text_with(raw, |json| read_checked(json, rules))
    }
}

/// Reads and checks one text.
pub fn text_checked<T: FromText + Check>(text: &str, rules: &[Rule<'_>]) -> Result<T, Refusal> {
    let value = T::from_text(text)?;
    let mut notes = Notes::new(Location::Body);
    if value.check(rules, &mut notes) {
        return Ok(value);
    }
    let first = notes.into_violations().into_iter().next();
    Err(first.map_or_else(
        || Refusal::new("type", text, "a value that is allowed"),
        |violation| Refusal { code: violation.code, detail: violation.detail },
    ))
}
