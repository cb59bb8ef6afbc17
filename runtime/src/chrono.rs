//! Dates and times of the crate chrono, in RFC 3339 format.

use std::borrow::Cow;

use ::chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc};
use jiff::civil;

use crate::strict_time;
use crate::text::{FromText, Refusal, ToText};

impl FromText for DateTime<FixedOffset> {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::instant(text, |local, offset| {
            date_and_time(local)?.and_local_timezone(FixedOffset::east_opt(offset)?).single()
        })
    }
}

impl ToText for DateTime<FixedOffset> {
    fn to_text(&self) -> Cow<'_, str> {
        // RFC 3339 offsets have no seconds.
        if self.offset().local_minus_utc() % 60 != 0 {
            return Cow::Owned(self.to_utc().to_text().into_owned());
        }
        Cow::Owned(self.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

impl FromText for DateTime<Utc> {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        DateTime::<FixedOffset>::from_text(text).map(|moment| moment.to_utc())
    }
}

impl ToText for DateTime<Utc> {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

impl FromText for NaiveDateTime {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::local(text, date_and_time)
    }
}

impl ToText for NaiveDateTime {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.format("%Y-%m-%dT%H:%M:%S%.f").to_string())
    }
}

impl FromText for NaiveDate {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::date(text, date)
    }
}

impl ToText for NaiveDate {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl FromText for NaiveTime {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        strict_time::time(text, time)
    }
}

impl ToText for NaiveTime {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

strict_time::json!(DateTime<FixedOffset>, DateTime<Utc>, NaiveDateTime, NaiveDate, NaiveTime);

fn date_and_time(local: civil::DateTime) -> Option<NaiveDateTime> {
    Some(date(local.date())?.and_time(time(local.time())?))
}

fn date(date: civil::Date) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(date.year().into(), date.month().unsigned_abs().into(), date.day().unsigned_abs().into())
}

fn time(time: civil::Time) -> Option<NaiveTime> {
    NaiveTime::from_hms_nano_opt(
        time.hour().unsigned_abs().into(),
        time.minute().unsigned_abs().into(),
        time.second().unsigned_abs().into(),
        time.subsec_nanosecond().unsigned_abs(),
    )
}
