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
    /// The described parts.
    pub parts: &'static [PartDescription],
    /// Number of distinct parts, or of all parts without names.
    pub count: PartCount,
    /// Other parts are refused.
    pub closed: bool,
    /// Parts have no names: each is found by its position, and only the last one may be repeated.
    pub positional: bool,
}

/// What the description says of a part.
#[derive(Debug)]
pub struct PartDescription {
    /// Its name.
    pub name: &'static str,
    /// Whether it is required.
    pub required: bool,
    /// Whether it may be repeated.
    pub repeated: bool,
    /// Number of its occurrences.
    pub count: PartCount,
    /// Allowed media types and ranges; any if empty.
    pub content_types: &'static [&'static str],
    /// The headers that it requires.
    pub headers: &'static [&'static str],
}

/// The bounds of a number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartCount {
    /// The smallest number.
    pub least: usize,
    /// The largest number.
    pub most: usize,
}

impl PartCount {
    /// Any number.
    pub const ANY: Self = Self { least: 0, most: usize::MAX };
}

impl Parts {
    /// The index of the part at a position.
    pub(super) fn at(&self, position: usize) -> Option<usize> {
        let last = self.parts.len().checked_sub(1)?;
        if position > last { self.parts[last].repeated.then_some(last) } else { Some(position) }
    }
}

impl PartDescription {
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
