//! Dates, times and durations as text.

use std::borrow::Cow;

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::SpanParser;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, SpanFieldwise, Timestamp};

use super::{FromText, Refusal, ToText};

impl FromText for Timestamp {
    /// RFC 3339. A missing zone means UTC and a bare date its midnight: many clients send them. Digits below
    /// a nanosecond are cut off. Beyond the last representable instant, only texts for "never" are accepted.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        let short = in_nanoseconds(text);
        if has_offset_of_a_day(text) {
            return Err(Refusal::new("format", text, "a date and time such as `2025-01-31T12:00:00Z`"));
        }
        let read = short.parse().ok();
        let in_utc = || civil(&short).ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
        read.or_else(in_utc)
            .or_else(|| never(&short))
            .ok_or_else(|| Refusal::new("format", text, "a date and time such as `2025-01-31T12:00:00Z`"))
    }

    /// A missing zone is accepted everywhere; see decision 16.
    fn from_text_strict(text: &str) -> Result<Self, Refusal> {
        Self::from_text(text)
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

/// The text with at most nine fractional digits.
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

/// Whether the offset is a day or longer. RFC 3339 allows hours up to 23.
fn has_offset_of_a_day(text: &str) -> bool {
    let clock = text.get(DATE.len()..).unwrap_or_default();
    let hour = clock.rsplit_once(['+', '-']).map_or("", |(_, offset)| offset);
    hour.get(..2).and_then(|hour| hour.parse().ok()).is_some_and(|hour: u8| hour > 23)
}

/// Common texts for "never", without their zone: the last moment of the year 9999 in some precision. A
/// `Timestamp` ends a little earlier, so its last nanoseconds represent these texts.
const NEVER: [&str; 7] = [
    "9999-12-31T23:59:59",
    "9999-12-31T23:59:59.9999999",
    "9999-12-31T23:59:59.999",
    "9999-12-31T23:59:59.999999",
    "9999-12-31T23:59:59.999999999",
    "9999-12-31T00:00:00",
    "9999-12-31T23:59:00",
];

/// The timestamp that represents a text of [`NEVER`].
fn never(text: &str) -> Option<Timestamp> {
    let local = ["Z", "z", "+00:00", "-00:00"].iter().find_map(|utc| text.strip_suffix(utc)).unwrap_or(text);
    let local = if local.len() == DATE.len() { format!("{local}T00:00:00") } else { local.replace(['t', ' '], "T") };
    let index = NEVER.iter().position(|never| *never == local)?;
    Timestamp::MAX.checked_sub(SignedDuration::from_nanos(i64::try_from(index).ok()?)).ok()
}

/// The text of [`NEVER`] that a timestamp represents.
pub(crate) fn text_of_never(moment: Timestamp) -> Option<String> {
    let nanoseconds = moment.duration_until(Timestamp::MAX).as_nanos();
    let never = NEVER.get(usize::try_from(nanoseconds).ok()?)?;
    Some(format!("{never}Z"))
}

impl ToText for Timestamp {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(text_of_never(*self).unwrap_or_else(|| self.to_string()))
    }
}

/// The format of a date; `0` is a digit.
const DATE: &str = "0000-00-00";

fn is_shaped(text: &str, shape: &str) -> bool {
    let fits = |(found, wanted): (u8, u8)| if wanted == b'0' { found.is_ascii_digit() } else { found == wanted };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

/// The rest after a time such as `12:00:00.5`.
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
    /// RFC 3339. A time of midnight after the date is ignored, because some clients add it; any other time is
    /// refused.
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
    /// RFC 3339, in UTC or without an offset: another offset would change the time.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        let utc = ["Z", "z", "+00:00", "-00:00"];
        let local = utc.iter().find_map(|utc| text.strip_suffix(utc)).unwrap_or(text);
        let read = if local.contains(['+', '-']) { None } else { local.parse().ok() };
        read.ok_or_else(|| Refusal::new("format", text, "a time such as `12:00:00`"))
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

/// ISO 8601 only: `Span` also parses `5 days`.
static SPANS: SpanParser = SpanParser::new();

impl FromText for SpanFieldwise {
    /// ISO 8601, and .NET's `00:45:00` and `1.12:00:00`.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        let read = SPANS.parse_span(text).ok().or_else(|| time_span(text));
        match read {
            Some(span) => Ok(span.fieldwise()),
            None => Err(Refusal::new("format", text, "a duration such as `P1DT12H`")),
        }
    }

    /// RFC 3339, appendix A, which has no sign.
    fn is_exact(text: &str) -> bool {
        text.starts_with(['P', 'p'])
    }
}

/// `[-][days.]hours:minutes:seconds[.fraction]`
fn time_span(text: &str) -> Option<Span> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let (days, clock) = match text.split_once('.') {
        Some((days, clock)) if !days.contains(':') => (days.parse::<u32>().ok()?, clock),
        _ => (0, text),
    };
    let time: Time = if clock.contains(':') { clock.parse().ok()? } else { return None };
    let span = Span::new().try_days(days).ok()?.hours(time.hour()).minutes(time.minute()).seconds(time.second());
    let span = span.nanoseconds(time.subsec_nanosecond());
    Some(span * sign)
}

impl ToText for SpanFieldwise {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.0.to_string())
    }
}
