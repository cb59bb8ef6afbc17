//! Reads one parameter of a request.

use super::RequestReader;
use crate::runtime::json::Read;
use crate::runtime::parameter::{FromParameter, Shape, Style};
use crate::runtime::rule::{Check, Rule};
use crate::runtime::violation::Location;

/// A parameter that is being read.
#[derive(Debug)]
pub struct ParameterReader<'p, 'r> {
    request: &'p mut RequestReader<'r>,
    location: Location,
    style: Style,
    rules: &'p [Rule<'p>],
}

impl<'p, 'r> ParameterReader<'p, 'r> {
    pub(super) fn new(request: &'p mut RequestReader<'r>, location: Location, style: Style) -> Self {
        Self { request, location, style, rules: &[] }
    }

    /// Another style than the location has by itself.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// What the description says of its value.
    #[must_use]
    pub fn checked(self, rules: &'p [Rule<'p>]) -> Self {
        Self { rules, ..self }
    }

    /// A parameter that has to be there. `None`: at least one violation has been noted.
    pub fn required<T: FromParameter + Check>(self) -> Option<T> {
        let Self { request, location, style, rules } = self;
        request
            .with_raw(location, style, T::SHAPE, T::MEMBERS, |notes, raw| notes.required_checked(location, raw, rules))
    }

    /// A parameter that may be left out. `None`: at least one violation has been noted.
    pub fn optional<T: FromParameter + Check>(self) -> Option<Option<T>> {
        let Self { request, location, style, rules } = self;
        request
            .with_raw(location, style, T::SHAPE, T::MEMBERS, |notes, raw| notes.optional_checked(location, raw, rules))
    }

    /// A parameter that has to be there and is JSON.
    pub fn required_json<T: Read + Check>(self) -> Option<T> {
        let Self { request, location, style, rules } = self;
        request.with_raw(location, style, Shape::Primitive, None, |notes, raw| {
            notes.required_json_checked(location, raw, rules)
        })
    }

    /// A parameter that may be left out and is JSON.
    pub fn optional_json<T: Read + Check>(self) -> Option<Option<T>> {
        let Self { request, location, style, rules } = self;
        request.with_raw(location, style, Shape::Primitive, None, |notes, raw| {
            notes.optional_json_checked(location, raw, rules)
        })
    }
}
