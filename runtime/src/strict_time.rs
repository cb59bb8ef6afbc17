//! Strict RFC 3339 dates and times, from which those of other crates are made.

use jiff::civil::{Date, DateTime, Time};

use crate::text::{FromText, Refusal};

/// A date, converted by `make`.
pub(crate) fn date<T>(text: &str, make: impl FnOnce(Date) -> Option<T>) -> Result<T, Refusal> {
    let read = exact(text).and_then(make);
    read.ok_or_else(|| Refusal::new("format", text, "a date such as `2025-01-31`"))
}

/// A time of day; an offset is allowed and dropped.
pub(crate) fn time<T>(text: &str, make: impl FnOnce(Time) -> Option<T>) -> Result<T, Refusal> {
    let read = || {
        let (time, zone) = clock(text)?;
        (zone.is_empty() || offset(zone).is_some()).then_some(time)
    };
    read().and_then(make).ok_or_else(|| Refusal::new("format", text, "a time such as `12:00:00`"))
}

/// A date and a time of day without an offset.
pub(crate) fn local<T>(text: &str, make: impl FnOnce(DateTime) -> Option<T>) -> Result<T, Refusal> {
    let read = || {
        let (local, zone) = date_and_clock(text)?;
        zone.is_empty().then_some(local)
    };
    read().and_then(make).ok_or_else(|| Refusal::new("format", text, "a date and time such as `2025-01-31T12:00:00`"))
}

/// A date and a time of day with an offset in seconds.
pub(crate) fn instant<T>(text: &str, make: impl FnOnce(DateTime, i32) -> Option<T>) -> Result<T, Refusal> {
    let read = || {
        let (local, zone) = date_and_clock(text)?;
        make(local, offset(zone)?)
    };
    read().ok_or_else(|| Refusal::new("format", text, "a date and time such as `2025-01-31T12:00:00Z`"))
}

fn date_and_clock(text: &str) -> Option<(DateTime, &str)> {
    let (date, rest) = text.split_at_checked("0000-00-00".len())?;
    let (time, zone) = clock(rest.strip_prefix(['T', 't', ' '])?)?;
    Some((exact::<Date>(date)?.to_datetime(time), zone))
}

/// A time of day, and the rest of the text. Digits below a nanosecond are cut off, and a leap second is read
/// as the second before it.
fn clock(text: &str) -> Option<(Time, &str)> {
    const SECONDS: usize = "00:00:00".len();
    const NANOSECONDS: usize = "00:00:00.000000000".len();
    let end = match text.get(SECONDS..)?.strip_prefix('.') {
        Some(fraction) => SECONDS + 1 + fraction.bytes().take_while(u8::is_ascii_digit).count(),
        None => SECONDS,
    };
    let (time, zone) = text.split_at_checked(end)?;
    Some((exact(&time[..end.min(NANOSECONDS)])?, zone))
}

/// The seconds of `Z`, or of `+01:00`.
fn offset(zone: &str) -> Option<i32> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hour, minute) = zone.strip_prefix(['+', '-'])?.split_once(':')?;
    Some(sign * (60 * two_digits(hour, 23)? + two_digits(minute, 59)?) * 60)
}

fn two_digits(text: &str, most: i32) -> Option<i32> {
    let is_shaped = text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|number| is_shaped && *number <= most)
}

fn exact<T: FromText>(text: &str) -> Option<T> {
    if T::is_exact(text) { T::from_text(text).ok() } else { None }
}

/// Reads and writes types as their texts in JSON.
macro_rules! json {
    ($($type:ty),*) => {
        $(
            impl $crate::json::Read for $type {
                fn read(json: &mut $crate::json::Reader<'_>) -> Option<Self> {
                    json.parse()
                }
            }

            impl $crate::json::Write for $type {
                fn write(&self, json: &mut $crate::json::Writer) {
                    json.text(self);
                }
            }
        )*
    };
}

pub(crate) use json;
