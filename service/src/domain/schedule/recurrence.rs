//! How a schedule repeats.

use jiff::{
    Span, Timestamp,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use serde::{Deserialize, Serialize};

use super::{MonthDay, local_time};

/// `Repeat` with what belongs to it; every interval is at least 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recurrence {
    /// Once, at the start.
    Never,
    /// Every so many seconds of elapsed time, whatever the clocks do.
    Elapsed(i64),
    /// Every so many days, at the same wall time.
    Days(u32),
    /// On these days of every so many weeks, each as the days that have passed since Sunday; weeks begin on Sunday.
    Weeks(u32, Vec<i8>),
    /// On that day of every so many months.
    Months(u32, MonthDay),
    /// On that day of that month (1 to 12) of every so many years.
    Years(u32, i8, MonthDay),
}

/// The unit of `Repeat` and of `Distribution.Interval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 60 seconds
    Minutes,
    /// 60 minutes
    Hours,
    /// 24 hours
    Days,
    /// 7 days
    Weeks,
    /// 28 days, the shortest month
    Months,
    /// 365 days, the shortest year
    Years,
}

impl Unit {
    /// The seconds that it lasts at least.
    pub fn seconds(self) -> i64 {
        const DAY: i64 = 24 * 60 * 60;
        match self {
            Self::Minutes => 60,
            Self::Hours => 60 * 60,
            Self::Days => DAY,
            Self::Weeks => 7 * DAY,
            Self::Months => 28 * DAY,
            Self::Years => 365 * DAY,
        }
    }
}

impl Recurrence {
    /// The seconds between two occurrences, at least; `None` when there is only one.
    pub fn interval(&self) -> Option<i64> {
        match self {
            Self::Never => None,
            Self::Elapsed(seconds) => Some(*seconds),
            Self::Days(days) => Some(i64::from(*days) * Unit::Days.seconds()),
            Self::Weeks(weeks, weekdays) => Some(shortest_gap(*weeks, weekdays) * Unit::Days.seconds()),
            Self::Months(months, _) => Some(i64::from(*months) * Unit::Months.seconds()),
            Self::Years(years, ..) => Some(i64::from(*years) * Unit::Years.seconds()),
        }
    }

    /// The occurrences from number `first` on: number, wall time and instant.
    pub(super) fn moments<'a>(
        &'a self,
        zone: &'a TimeZone,
        start: DateTime,
        first: u32,
    ) -> Box<dyn Iterator<Item = (u32, DateTime, Timestamp)> + 'a> {
        match self {
            // Counted by arithmetic: a minute's schedule has half a million occurrences a year.
            Self::Elapsed(seconds) => {
                let origin = local_time::instant(zone, start);
                Box::new((first..).map(move |index| {
                    let instant = local_time::plus_seconds(origin, seconds.saturating_mul(i64::from(index)));
                    (index, zone.to_datetime(instant), instant)
                }))
            }
            Self::Never | Self::Days(_) | Self::Weeks(..) | Self::Months(..) | Self::Years(..) => Box::new(
                (0..)
                    .zip(self.dates(start.date()))
                    .skip(first as usize)
                    .map(move |(index, date)| (index, date.to_datetime(start.time())))
                    .map(move |(index, nominal)| (index, nominal, local_time::instant(zone, nominal))),
            ),
        }
    }

    /// The dates of the occurrences, none before `start`.
    fn dates(&self, start: Date) -> Box<dyn Iterator<Item = Date> + '_> {
        match self {
            Self::Never | Self::Elapsed(_) => Box::new(std::iter::once(start)),
            Self::Days(days) => Box::new(steps(start, move |step| Span::new().try_days(step * i64::from(*days)))),
            Self::Weeks(weeks, weekdays) => {
                let sunday =
                    start.checked_sub(Span::new().days(start.weekday().to_sunday_zero_offset())).unwrap_or(start);
                let mut offsets = weekdays.clone();
                offsets.sort_unstable();
                offsets.dedup();
                let weeks = steps(sunday, move |step| Span::new().try_weeks(step * i64::from(*weeks)));
                let dates = weeks.flat_map(move |sunday| {
                    let dates: Vec<Date> =
                        offsets.iter().map_while(|days| sunday.checked_add(Span::new().days(*days)).ok()).collect();
                    dates
                });
                Box::new(dates.skip_while(move |date| *date < start))
            }
            Self::Months(months, day) => {
                let firsts =
                    steps(start.first_of_month(), move |step| Span::new().try_months(step * i64::from(*months)));
                Box::new(firsts.map(|first| day.date(first)).skip_while(move |date| *date < start))
            }
            Self::Years(years, month, day) => {
                let january = start.first_of_year();
                let firsts = steps(january, move |step| Span::new().try_years(step * i64::from(*years)));
                let firsts = firsts.map_while(|first| first.with().month(*month).build().ok());
                Box::new(firsts.map(|first| day.date(first)).skip_while(move |date| *date < start))
            }
        }
    }
}

/// `origin`, and what lies one, two, three … steps after it, up to the end of the calendar.
fn steps<F>(origin: Date, span: F) -> impl Iterator<Item = Date>
where
    F: Fn(i64) -> Result<Span, jiff::Error>,
{
    (0..).map_while(move |step| origin.checked_add(span(step).ok()?).ok())
}

/// The days between two of these weekdays, at least.
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
