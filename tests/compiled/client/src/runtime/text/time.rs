//! Dates, times and durations as text.

use std::borrow::Cow;

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::SpanParser;
use jiff::tz::TimeZone;
use jiff::{SpanFieldwise, Timestamp};

use super::{FromText, Refusal, ToText};

impl FromText for Timestamp {
    /// RFC 3339. A missing zone is read as UTC and a bare date as its midnight: many clients send them.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        let read = text.parse().or_else(|_| civil(text)?.to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp()));
        read.map_err(|_: jiff::Error| Refusal::new("format", text, "a date and time such as `2025-01-31T12:00:00Z`"))
    }
}

fn civil(text: &str) -> Result<DateTime, jiff::Error> {
    text.parse()
}

impl ToText for Timestamp {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl FromText for Date {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        text.parse().map_err(|_| Refusal::new("format", text, "a date such as `2025-01-31`"))
    }
}

impl ToText for Date {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl FromText for Time {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        text.parse().map_err(|_| Refusal::new("format", text, "a time such as `12:00:00`"))
    }
}

impl ToText for Time {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl FromText for DateTime {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        text.parse().map_err(|_| Refusal::new("format", text, "a date and time such as `2025-01-31T12:00:00`"))
    }
}

impl ToText for DateTime {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

/// ISO 8601 only: `Span` itself would read `5 days` too.
static SPANS: SpanParser = SpanParser::new();

impl FromText for SpanFieldwise {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        match SPANS.parse_span(text) {
            Ok(span) => Ok(span.fieldwise()),
            Err(_) => Err(Refusal::new("format", text, "a duration such as `P1DT12H`")),
        }
    }
}

impl ToText for SpanFieldwise {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.0.to_string())
    }
}
