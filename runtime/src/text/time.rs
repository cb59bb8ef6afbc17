//! Dates, times and durations as text.

use std::borrow::Cow;

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::SpanParser;
use jiff::tz::TimeZone;
use jiff::{SpanFieldwise, Timestamp};

use super::{FromText, Refusal, ToText};

impl FromText for Timestamp {
    /// RFC 3339. A missing zone is read as UTC and a bare date as its midnight: many clients send them. What is shorter
    /// than a nanosecond is cut off, and what comes after the last instant there is, such as `9999-12-31T23:59:59Z`, which
    /// many use for "never", is that one.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        let short = in_nanoseconds(text);
        let read = short.parse().or_else(|_| civil(&short)?.to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp()));
        read.or_else(|error: jiff::Error| if is_after_all(&short) { Ok(Self::MAX) } else { Err(error) })
            .map_err(|_| Refusal::new("format", text, "a date and time such as `2025-01-31T12:00:00Z`"))
    }

    fn is_exact(text: &str) -> bool {
        text.split_at_checked(DATE.len()).is_some_and(|(date, rest)| {
            let zone = rest.strip_prefix(['T', 't', ' ']).and_then(behind_time);
            Date::is_exact(date) && zone.is_some_and(is_zone)
        })
    }
}

fn civil(text: &str) -> Result<DateTime, jiff::Error> {
    text.parse()
}

/// The text with no more than nine digits behind the seconds.
fn in_nanoseconds(text: &str) -> Cow<'_, str> {
    const MOST: usize = 9;
    let Some((before, after)) = text.split_once('.') else { return Cow::Borrowed(text) };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    if digits <= MOST {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{before}.{}{}", &after[..MOST], &after[digits..]))
    }
}

/// It is right, only beyond what an instant can be: at the end of the year 9999.
fn is_after_all(text: &str) -> bool {
    let local = text.strip_suffix(['Z', 'z']).or_else(|| text.rsplit_once(['+', '-']).map(|(local, _)| local));
    let local = local.filter(|local| local.contains(['T', 't', ' '])).unwrap_or(text);
    text.starts_with("9999-12-3") && civil(local).is_ok()
}

impl ToText for Timestamp {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

/// How a date is written; `0` is a digit.
const DATE: &str = "0000-00-00";

fn is_shaped(text: &str, shape: &str) -> bool {
    let fits = |(found, wanted): (u8, u8)| if wanted == b'0' { found.is_ascii_digit() } else { found == wanted };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

/// What is behind a time such as `12:00:00.5`.
fn behind_time(text: &str) -> Option<&str> {
    let (time, rest) = text.split_at_checked("00:00:00".len())?;
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|digit: char| digit.is_ascii_digit()),
        None => rest,
    };
    is_shaped(time, "00:00:00").then_some(zone)
}

fn is_zone(text: &str) -> bool {
    ["Z", "z", "+00:00", "-00:00"].iter().any(|shape| is_shaped(text, shape))
}

impl FromText for Date {
    /// RFC 3339. Midnight behind it, which some write to every date, says nothing more; another time would be lost.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        let (date, rest) = text.split_at_checked(DATE.len()).unwrap_or((text, ""));
        let time = rest.split(['Z', 'z', '+', '-']).next().unwrap_or_default();
        let is_midnight = time.chars().all(|sign| matches!(sign, 'T' | 't' | ' ' | '0' | ':' | '.'));
        let is_date =
            date.get(4..5) == Some("-") && is_midnight && (rest.is_empty() || Timestamp::from_text(text).is_ok());
        let read = if is_date { date.parse().ok() } else { None };
        read.ok_or_else(|| Refusal::new("format", text, "a date such as `2025-01-31`"))
    }

    fn is_exact(text: &str) -> bool {
        is_shaped(text, DATE)
    }
}

impl ToText for Date {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl FromText for Time {
    /// RFC 3339, with or without an offset, which it does not keep.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        let local = text.strip_suffix(['Z', 'z']).unwrap_or(text);
        local.parse().map_err(|_| Refusal::new("format", text, "a time such as `12:00:00`"))
    }

    fn is_exact(text: &str) -> bool {
        behind_time(text).is_some_and(|zone| zone.is_empty() || is_zone(zone))
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

    fn is_exact(text: &str) -> bool {
        text.split_at_checked(DATE.len()).is_some_and(|(date, rest)| {
            let zone = rest.strip_prefix(['T', 't', ' ']).and_then(behind_time);
            Date::is_exact(date) && zone.is_some_and(str::is_empty)
        })
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
