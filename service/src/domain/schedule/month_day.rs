//! A day of a month: the 31st, the second Tuesday, the last weekday.

use jiff::civil::{Date, Weekday};
use serde::{Deserialize, Serialize};

/// Which day of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MonthDay {
    /// The day with this number, 1 to 31; the last day of shorter months.
    Number(i8),
    /// `FirstSunday` … `LastDay`
    Ordinal(Ordinal, DayKind),
}

/// The ordinal of a kind of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ordinal {
    /// The first.
    First,
    /// The second.
    Second,
    /// The third.
    Third,
    /// The fourth.
    Fourth,
    /// The last.
    Last,
}

/// The kinds of days that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DayKind {
    /// `Sunday`
    Sunday,
    /// `Monday`
    Monday,
    /// `Tuesday`
    Tuesday,
    /// `Wednesday`
    Wednesday,
    /// `Thursday`
    Thursday,
    /// `Friday`
    Friday,
    /// `Saturday`
    Saturday,
    /// `WeekDay`: Monday to Friday
    WeekDay,
    /// `WeekendDay`: Saturday and Sunday
    WeekendDay,
    /// `Day`: any
    Day,
}

impl MonthDay {
    /// The date in the month that starts at `first`.
    pub(super) fn date(self, first: Date) -> Date {
        match self {
            Self::Number(day) => first.with().day(day.clamp(1, first.days_in_month())).build().unwrap_or(first),
            Self::Ordinal(Ordinal::Last, kind) => {
                let last = first.last_of_month();
                days(last, -1).find(|date| kind.includes(*date)).unwrap_or(last)
            }
            Self::Ordinal(ordinal, kind) => {
                days(first, 1).filter(|date| kind.includes(*date)).nth(ordinal.position()).unwrap_or(first)
            }
        }
    }
}

impl Ordinal {
    /// The number of preceding days of the kind; `Last` is searched from the end.
    fn position(self) -> usize {
        match self {
            Self::First | Self::Last => 0,
            Self::Second => 1,
            Self::Third => 2,
            Self::Fourth => 3,
        }
    }
}

impl DayKind {
    fn includes(self, date: Date) -> bool {
        let weekday = date.weekday();
        let weekend = matches!(weekday, Weekday::Saturday | Weekday::Sunday);
        match self {
            Self::Sunday => weekday == Weekday::Sunday,
            Self::Monday => weekday == Weekday::Monday,
            Self::Tuesday => weekday == Weekday::Tuesday,
            Self::Wednesday => weekday == Weekday::Wednesday,
            Self::Thursday => weekday == Weekday::Thursday,
            Self::Friday => weekday == Weekday::Friday,
            Self::Saturday => weekday == Weekday::Saturday,
            Self::WeekDay => !weekend,
            Self::WeekendDay => weekend,
            Self::Day => true,
        }
    }
}

/// The days from `from` on (or backwards); 31 days contain four of each kind.
fn days(from: Date, step: i32) -> impl Iterator<Item = Date> {
    (0..31).map_while(move |day| from.checked_add(jiff::Span::new().days(day * step)).ok())
}
