//! What the description says of the parts of a multipart body.

use http::HeaderMap;
use http::header::CONTENT_TYPE;

use super::violation;
use crate::media_type;
use crate::text::quoted;
use crate::violation::Violation;

/// The media type that senders use when they know no better.
const UNKNOWN: &str = "application/octet-stream";

/// The parts of a multipart body.
#[derive(Debug)]
pub struct Parts {
    pub(super) described: &'static [PartDescription],
    /// Number of distinct parts, or of all parts without names.
    pub(super) count: Bounds,
    pub(super) closed: bool,
    pub(super) positional: bool,
}

/// What the description says of a part.
#[derive(Debug)]
pub struct PartDescription {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) repeated: bool,
    /// Number of its occurrences.
    pub(super) count: Bounds,
    pub(super) content_types: &'static [&'static str],
    headers: &'static [&'static str],
}

/// The bounds of a number of parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) least: usize,
    pub(super) most: usize,
}

impl Bounds {
    const NONE: Self = Self { least: 0, most: usize::MAX };
}

impl Parts {
    /// These parts, among others, in any number.
    pub const fn new(described: &'static [PartDescription]) -> Self {
        Self { described, count: Bounds::NONE, closed: false, positional: false }
    }

    /// Sets the least number of distinct parts, or of all parts without names.
    #[must_use]
    pub const fn at_least(mut self, count: usize) -> Self {
        self.count.least = count;
        self
    }

    /// Sets the greatest number of distinct parts, or of all parts without names.
    #[must_use]
    pub const fn at_most(mut self, count: usize) -> Self {
        self.count.most = count;
        self
    }

    /// Refuses other parts.
    #[must_use]
    pub const fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Finds each part by its position: parts have no names, and only the last one may be repeated.
    #[must_use]
    pub const fn positional(mut self) -> Self {
        self.positional = true;
        self
    }

    /// The index of the part at a position.
    pub(super) fn at(&self, position: usize) -> Option<usize> {
        let last = self.described.len().checked_sub(1)?;
        if position > last { self.described[last].repeated.then_some(last) } else { Some(position) }
    }
}

impl PartDescription {
    /// An optional part with this name, in any media type.
    pub const fn new(name: &'static str) -> Self {
        Self { name, required: false, repeated: false, count: Bounds::NONE, content_types: &[], headers: &[] }
    }

    /// Requires the part.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Allows several parts with the name, which are the items of a list.
    #[must_use]
    pub const fn repeated(mut self) -> Self {
        self.repeated = true;
        self
    }

    /// Sets the least number of items, if there is any.
    #[must_use]
    pub const fn at_least(mut self, items: usize) -> Self {
        self.count.least = items;
        self
    }

    /// Sets the greatest number of items.
    #[must_use]
    pub const fn at_most(mut self, items: usize) -> Self {
        self.count.most = items;
        self
    }

    /// Allows only these media types and ranges.
    #[must_use]
    pub const fn content_types(mut self, ranges: &'static [&'static str]) -> Self {
        self.content_types = ranges;
        self
    }

    /// Requires these headers of the part.
    #[must_use]
    pub const fn headers(mut self, names: &'static [&'static str]) -> Self {
        self.headers = names;
        self
    }

    /// The violation of a part at a place with these headers, if any.
    pub(super) fn violation(&self, place: &str, headers: &HeaderMap) -> Option<Violation> {
        let missing = self.headers.iter().find(|name| !headers.contains_key(**name));
        if let Some(name) = missing {
            return Some(violation(place, "required", format!("has no header `{name}`")));
        }
        Some(violation(place, "contentType", self.refuses(headers)?))
    }

    /// Why this media type is not allowed. A part without a media type, or with a generic one, is accepted.
    fn refuses(&self, headers: &HeaderMap) -> Option<String> {
        let said = headers.get(CONTENT_TYPE)?.to_str().unwrap_or_default();
        let essence = media_type::essence(said);
        let is_allowed = |range: &&str| media_type::covers(range, essence);
        if self.content_types.is_empty() || essence == UNKNOWN || self.content_types.iter().any(is_allowed) {
            return None;
        }
        Some(format!("is {}, not {}", quoted(essence), self.content_types.join(" or ")))
    }
}
