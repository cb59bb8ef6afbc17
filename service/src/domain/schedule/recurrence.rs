//! Recurrence of a schedule.

use jiff::{
    SignedDuration, Span, Timestamp,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use serde::{Deserialize, Serialize};

use super::{MonthDay, local_time};

/// `Repeat` with its parameters; intervals are at least 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recurrence {
    /// Once, at the start.
    Never,
    /// At intervals of this many elapsed seconds, independent of clock changes.
    Elapsed(i64),
    /// Every this many days, at the same wall time.
    Days(u32),
    /// On these days (since Sunday) of every n-th week; weeks start on Sunday.
    Weeks(u32, Vec<i8>),
    /// On this day of every n-th month.
    Months(u32, MonthDay),
    /// On this day of this month (1 to 12) of every n-th year.
    Years(u32, i8, MonthDay),
}

/// Seconds of a minute, the unit `Minutes` of `Repeat` and of `Distribution.Interval`.
pub const MINUTE: i64 = 60;
/// Seconds of an hour.
pub const HOUR: i64 = 60 * MINUTE;
/// Seconds of a day of 24 hours.
pub const DAY: i64 = 24 * HOUR;
/// Seconds of a week.
pub const WEEK: i64 = 7 * DAY;
/// Seconds of the shortest month.
pub const MONTH: i64 = 28 * DAY;
/// Seconds of the shortest year.
pub const YEAR: i64 = 365 * DAY;

impl Recurrence {
    /// The minimum number of seconds between occurrences; `None` if there is only one.
    pub fn interval(&self) -> Option<i64> {
        match self {
            Self::Never => None,
            Self::Elapsed(seconds) => Some(*seconds),
            Self::Days(days) => Some(i64::from(*days) * DAY),
            Self::Weeks(weeks, weekdays) => Some(shortest_gap(*weeks, weekdays) * DAY),
            Self::Months(months, _) => Some(i64::from(*months) * MONTH),
            Self::Years(years, ..) => Some(i64::from(*years) * YEAR),
        }
    }

    /// When the occurrence with this number is due, starting at 0. `None` if there is none, or beyond the calendar. Takes constant
    /// time.
    pub(super) fn moment(&self, zone: &TimeZone, start: DateTime, index: u64) -> Option<Timestamp> {
        let index = i64::try_from(index).ok()?;
        if let Self::Elapsed(seconds) = self {
            let elapsed = SignedDuration::from_secs(seconds.checked_mul(index)?);
            return local_time::instant(zone, start)?.checked_add(elapsed).ok();
        }
        local_time::instant(zone, self.date(start.date(), index)?.to_datetime(start.time()))
    }

    /// The date of an occurrence, at or after `start`.
    fn date(&self, start: Date, index: i64) -> Option<Date> {
        match self {
            Self::Never | Self::Elapsed(_) => (index == 0).then_some(start),
            Self::Days(days) => later(start, Span::new().try_days(index.checked_mul(i64::from(*days))?)),
            Self::Weeks(weeks, weekdays) => {
                let today = start.weekday().to_sunday_zero_offset();
                let mut weekdays = weekdays.clone();
                weekdays.sort_unstable();
                weekdays.dedup();
                // Skip days of the first week before the start.
                let passed = weekdays.iter().filter(|weekday| **weekday < today).count();
                let position = index.checked_add(i64::try_from(passed).ok()?)?;
                let a_week = i64::try_from(weekdays.len()).ok().filter(|days| *days > 0)?;
                let weekday = weekdays.get(usize::try_from(position % a_week).ok()?)?;
                let days = (position / a_week).checked_mul(7 * i64::from(*weeks))?;
                later(start, Span::new().try_days(days.checked_add(i64::from(*weekday) - i64::from(today))?))
            }
            Self::Months(months, day) => {
                let first = start.first_of_month();
                let position = index.checked_add(i64::from(day.date(first) < start))?;
                let step = position.checked_mul(i64::from(*months))?;
                Some(day.date(later(first, Span::new().try_months(step))?))
            }
            Self::Years(years, month, day) => {
                let first = Date::new(start.year(), *month, 1).ok()?;
                let position = index.checked_add(i64::from(day.date(first) < start))?;
                let step = position.checked_mul(i64::from(*years))?;
                Some(day.date(later(first, Span::new().try_years(step))?))
            }
        }
    }
}

/// `origin` plus `span`, unless it is beyond the calendar.
fn later(origin: Date, span: Result<Span, jiff::Error>) -> Option<Date> {
    origin.checked_add(span.ok()?).ok()
}

/// The minimum number of days between two of these weekdays.
fn shortest_gap(weeks: u32, weekdays: &[i8]) -> i64 {
    let mut days: Vec<i64> = weekdays.iter().map(|weekday| i64::from(*weekday)).collect();
    days.sort_unstable();
    days.dedup();
    let within = days.windows(2).map(|pair| pair[1] - pair[0]);
    let around = match (days.first(), days.last()) {
        (Some(first), Some(last)) => first + 7 * i64::from(weeks) - last,
        _ => 7 * i64::from(weeks),
    };
    within.chain([around]).min().unwrap_or(around)
}
