//! Dates and times of the crate time, in RFC 3339 format.

use std::borrow::Cow;

use ::time::{Date, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime, UtcOffset};
use jiff::civil;

use crate::strict_time;
use crate::text::{FromText, Refusal, ToText};

impl FromText for OffsetDateTime {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::instant(text, instant)
    }
}

impl ToText for OffsetDateTime {
    fn to_text(&self) -> Cow<'_, str> {
        let (hours, minutes, seconds) = self.offset().as_hms();
        if seconds != 0
            && let Some(moment) = self.checked_to_utc()
        {
            // RFC 3339 offsets have no seconds.
            return Cow::Owned(moment.to_text().into_owned());
        }
        let local = local_text(self.date(), self.time());
        Cow::Owned(if (hours, minutes) == (0, 0) {
            format!("{local}Z")
        } else {
            let sign = if self.offset().is_negative() { '-' } else { '+' };
            format!("{local}{sign}{:02}:{:02}", hours.unsigned_abs(), minutes.unsigned_abs())
        })
    }
}

impl FromText for UtcDateTime {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::instant(text, |local, offset| instant(local, offset)?.checked_to_utc())
    }
}

impl ToText for UtcDateTime {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(format!("{}Z", local_text(self.date(), self.time())))
    }
}

impl FromText for PrimitiveDateTime {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::local(text, date_and_time)
    }
}

impl ToText for PrimitiveDateTime {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(local_text(self.date(), self.time()))
    }
}

impl FromText for Date {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::date(text, date)
    }
}

impl ToText for Date {
    fn to_text(&self) -> Cow<'_, str> {
        let (year, month, day) = (self.year(), u8::from(self.month()), self.day());
        // RFC 3339 years have four digits; longer ones get a sign, as in ISO 8601.
        Cow::Owned(if (0..=9999).contains(&year) {
            format!("{year:04}-{month:02}-{day:02}")
        } else {
            format!("{year:+05}-{month:02}-{day:02}")
        })
    }
}

impl FromText for Time {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::time(text, time)
    }
}

impl ToText for Time {
    fn to_text(&self) -> Cow<'_, str> {
        let (hour, minute, second, nanosecond) = self.as_hms_nano();
        let whole = format!("{hour:02}:{minute:02}:{second:02}");
        Cow::Owned(if nanosecond == 0 {
            whole
        } else {
            format!("{whole}.{nanosecond:09}").trim_end_matches('0').to_owned()
        })
    }
}

strict_time::json!(OffsetDateTime, UtcDateTime, PrimitiveDateTime, Date, Time);

fn local_text(date: Date, time: Time) -> String {
    format!("{}T{}", date.to_text(), time.to_text())
}

fn instant(local: civil::DateTime, offset: i32) -> Option<OffsetDateTime> {
    Some(date_and_time(local)?.assume_offset(UtcOffset::from_whole_seconds(offset).ok()?))
}

fn date_and_time(local: civil::DateTime) -> Option<PrimitiveDateTime> {
    Some(PrimitiveDateTime::new(date(local.date())?, time(local.time())?))
}

fn date(date: civil::Date) -> Option<Date> {
    let month = date.month().unsigned_abs().try_into().ok()?;
    Date::from_calendar_date(date.year().into(), month, date.day().unsigned_abs()).ok()
}

fn time(time: civil::Time) -> Option<Time> {
    let (hour, minute, second) = (time.hour(), time.minute(), time.second());
    let nanosecond = time.subsec_nanosecond().unsigned_abs();
    Time::from_hms_nano(hour.unsigned_abs(), minute.unsigned_abs(), second.unsigned_abs(), nanosecond).ok()
}
