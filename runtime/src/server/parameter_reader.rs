//! Reads one parameter of a request.

use super::RequestReader;
use crate::json::Read;
use crate::parameter::{FromParameter, Raw, Shape, Style};
use crate::rule::{Check, Rule};
use crate::text::Refusal;
use crate::violation::Location;

/// A parameter being read. A violation is noted and gives `None`, like an absent value: operations never see
/// a request with violations.
#[derive(Debug)]
pub struct ParameterReader<'p, 'r> {
    request: &'p mut RequestReader<'r>,
    location: Location,
    style: Style,
    /// Whether JSON is one text or a list of them.
    json: Shape,
    /// The names of the other parameters.
    others: &'static [&'static str],
}

impl<'p, 'r> ParameterReader<'p, 'r> {
    pub(super) fn new(request: &'p mut RequestReader<'r>, location: Location, style: Style) -> Self {
        Self { request, location, style, json: Shape::Primitive, others: &[] }
    }

    /// Sets a style other than the default of the location.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// JSON as the items of a list, each its own text.
    #[must_use]
    pub fn items(self) -> Self {
        Self { json: Shape::Array, ..self }
    }

    /// Sets the names of the other parameters, for one that takes all the rest.
    #[must_use]
    pub fn others(self, others: &'static [&'static str]) -> Self {
        Self { others, ..self }
    }

    /// A required parameter.
    pub fn required<T: FromParameter>(self) -> Option<T> {
        let Self { request, location, style, others, .. } = self;
        request.with_raw(location, style, others, T::SHAPE, T::MEMBERS, |notes, raw| {
            notes.required_parameter(location, or_nothing(raw, location, style, T::SHAPE))
        })
    }

    /// A required parameter with rules.
    pub fn required_checked<T: FromParameter + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        let Self { request, location, style, others, .. } = self;
        request.with_raw(location, style, others, T::SHAPE, T::MEMBERS, |notes, raw| {
            notes.required_checked(location, or_nothing(raw, location, style, T::SHAPE), rules)
        })
    }

    /// An optional parameter.
    pub fn optional<T: FromParameter>(self) -> Option<T> {
        let Self { request, location, style, others, .. } = self;
        request
            .with_raw(location, style, others, T::SHAPE, T::MEMBERS, |notes, raw| {
                notes.optional_parameter(location, raw)
            })
            .flatten()
    }

    /// An optional parameter with rules.
    pub fn optional_checked<T: FromParameter + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        let Self { request, location, style, others, .. } = self;
        request
            .with_raw(location, style, others, T::SHAPE, T::MEMBERS, |notes, raw| {
                notes.optional_checked(location, raw, rules)
            })
            .flatten()
    }

    /// Required JSON.
    pub fn required_json<T: Read>(self) -> Option<T> {
        let Self { request, location, style, json, others } = self;
        request.with_raw(location, style, others, json, None, |notes, raw| notes.required_json_parameter(location, raw))
    }

    /// Required JSON with rules.
    pub fn required_json_checked<T: Read + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        let Self { request, location, style, json, others } = self;
        request.with_raw(location, style, others, json, None, |notes, raw| {
            notes.required_json_checked(location, raw, rules)
        })
    }

    /// Optional JSON.
    pub fn optional_json<T: Read>(self) -> Option<T> {
        let Self { request, location, style, json, others } = self;
        request
            .with_raw(location, style, others, json, None, |notes, raw| notes.optional_json_parameter(location, raw))
            .flatten()
    }

    /// Optional JSON with rules.
    pub fn optional_json_checked<T: Read + Check>(self, rules: &[Rule<'_>]) -> Option<T> {
        let Self { request, location, style, json, others } = self;
        request
            .with_raw(location, style, others, json, None, |notes, raw| {
                notes.optional_json_checked(location, raw, rules)
            })
            .flatten()
    }
}

/// The texts as sent, or the empty list or object that is serialized as nothing.
fn or_nothing(
    raw: Result<Option<Raw<'_>>, Refusal>,
    location: Location,
    style: Style,
    shape: Shape,
) -> Result<Option<Raw<'_>>, Refusal> {
    let is_in_pairs = matches!(location, Location::Query(_) | Location::Cookie(_));
    raw.map(|raw| raw.or_else(|| style.nothing(shape).filter(|_| is_in_pairs)))
}
