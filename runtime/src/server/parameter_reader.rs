//! Reads one parameter of a request.

use super::RequestReader;
use crate::json::Read;
use crate::parameter::{FromParameter, Raw, Shape, Style};
use crate::rule::{Check, Rule};
use crate::text::Refusal;
use crate::violation::Location;

/// A parameter that is being read. What violates the description is noted, and is `None` like what is not there: nobody
/// sees a request that has violations.
#[derive(Debug)]
pub struct ParameterReader<'p, 'r> {
    request: &'p mut RequestReader<'r>,
    location: Location,
    style: Style,
    /// What JSON is put together from: one text, or a list of them.
    json: Shape,
    /// The names that belong to other parameters.
    others: &'static [&'static str],
}

impl<'p, 'r> ParameterReader<'p, 'r> {
    pub(super) fn new(request: &'p mut RequestReader<'r>, location: Location, style: Style) -> Self {
        Self { request, location, style, json: Shape::Primitive, others: &[] }
    }

    /// Another style than the location has by itself.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// JSON is given as the items of a list, each a text of its own.
    #[must_use]
    pub fn items(self) -> Self {
        Self { json: Shape::Array, ..self }
    }

    /// The names of the other parameters beside one that takes whatever there is.
    #[must_use]
    pub fn beside(self, others: &'static [&'static str]) -> Self {
        Self { others, ..self }
    }

    /// A parameter that has to be there.
    pub fn required<T: FromParameter>(self) -> Option<T> {
        let Self { request, location, style, others, .. } = self;
        request.with_raw(location, style, others, T::SHAPE, T::MEMBERS, |notes, raw| {
            notes.required_parameter(location, or_nothing(raw, location, style, T::SHAPE))
        })
    }

    /// A parameter that has to be there and to keep rules.
    pub fn required_checked<T: FromParameter + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        let Self { request, location, style, others, .. } = self;
        request.with_raw(location, style, others, T::SHAPE, T::MEMBERS, |notes, raw| {
            notes.required_checked(location, or_nothing(raw, location, style, T::SHAPE), rules)
        })
    }

    /// A parameter that may be left out.
    pub fn optional<T: FromParameter>(self) -> Option<T> {
        let Self { request, location, style, others, .. } = self;
        request
            .with_raw(location, style, others, T::SHAPE, T::MEMBERS, |notes, raw| {
                notes.optional_parameter(location, raw)
            })
            .flatten()
    }

    /// A parameter that may be left out and has to keep rules.
    pub fn optional_checked<T: FromParameter + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        let Self { request, location, style, others, .. } = self;
        request
            .with_raw(location, style, others, T::SHAPE, T::MEMBERS, |notes, raw| {
                notes.optional_checked(location, raw, rules)
            })
            .flatten()
    }

    /// JSON that has to be there.
    pub fn required_json<T: Read>(self) -> Option<T> {
        let Self { request, location, style, json, others } = self;
        request.with_raw(location, style, others, json, None, |notes, raw| notes.required_json_parameter(location, raw))
    }

    /// JSON that has to be there and to keep rules.
    pub fn required_json_checked<T: Read + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        let Self { request, location, style, json, others } = self;
        request.with_raw(location, style, others, json, None, |notes, raw| {
            notes.required_json_checked(location, raw, rules)
        })
    }

    /// JSON that may be left out.
    pub fn optional_json<T: Read>(self) -> Option<T> {
        let Self { request, location, style, json, others } = self;
        request
            .with_raw(location, style, others, json, None, |notes, raw| notes.optional_json_parameter(location, raw))
            .flatten()
    }

    /// JSON that may be left out and has to keep rules.
    pub fn optional_json_checked<T: Read + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        let Self { request, location, style, json, others } = self;
        request
            .with_raw(location, style, others, json, None, |notes, raw| {
                notes.optional_json_checked(location, raw, rules)
            })
            .flatten()
    }
}

/// What was sent, or the empty list or object that is sent as nothing.
fn or_nothing(
    raw: Result<Option<Raw<'_>>, Refusal>,
    location: Location,
    style: Style,
    shape: Shape,
) -> Result<Option<Raw<'_>>, Refusal> {
    let is_in_pairs = matches!(location, Location::Query(_) | Location::Cookie(_));
    raw.map(|raw| raw.or_else(|| style.nothing(shape).filter(|_| is_in_pairs)))
}
