//! A day of a month: the 31st, the second Tuesday, the last weekday.

use jiff::{Span, civil::Date};
use serde::{Deserialize, Serialize};

/// Which day of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MonthDay {
    /// The day with this number, 1 to 31; the last day of shorter months.
    Number(i8),
    /// The day with that number among those that fall on the weekdays, from 1 to 4; 0 is the last.
    Nth(u8, Weekdays),
}

/// A set of weekdays: bit 0 is Sunday, bit 6 Saturday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weekdays(pub u8);

impl MonthDay {
    /// The date in the month that starts at `first`.
    pub(super) fn date(self, first: Date) -> Date {
        match self {
            Self::Number(day) => first.with().day(day.clamp(1, first.days_in_month())).build().unwrap_or(first),
            Self::Nth(0, days) => days.from(first.last_of_month(), -1).next().unwrap_or(first),
            Self::Nth(number, days) => days.from(first, 1).nth(usize::from(number) - 1).unwrap_or(first),
        }
    }
}

impl Weekdays {
    /// The days of the set at `date` and after (or before) it; every month has four of each weekday within 31 days.
    fn from(self, date: Date, step: i32) -> impl Iterator<Item = Date> {
        let days = (0..31).map_while(move |day| date.checked_add(Span::new().days(day * step)).ok());
        days.filter(move |date| self.0 >> date.weekday().to_sunday_zero_offset() & 1 == 1)
    }
}
