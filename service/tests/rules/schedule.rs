//! Compares the schedule arithmetic with an independent oracle.

mod walking;

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, DateTime, Time, date, time},
    tz::TimeZone,
};
use service::domain::{
    scan::PlannedRun,
    schedule::{Exclusion, MonthDay, Recurrence, Schedule, Weekdays},
};

/// Each weekday, Monday to Friday, the weekend, and all days.
const DAYS: [Weekdays; 10] = [
    Weekdays(1),
    Weekdays(2),
    Weekdays(4),
    Weekdays(8),
    Weekdays(16),
    Weekdays(32),
    Weekdays(64),
    Weekdays(62),
    Weekdays(65),
    Weekdays(127),
];

fn schedule(zone: &str, start: DateTime, recurrence: Recurrence) -> Schedule {
    Schedule {
        seed: "agent".into(),
        zone: TimeZone::get(zone).expect("the zone is in the bundled database"),
        start,
        recurrence,
        end: None,
        end_after: 0,
        window: 0,
        exclusion: None,
    }
}

fn occurrences(schedule: &Schedule, first: u64) -> impl Iterator<Item = PlannedRun> + '_ {
    let next = |index| schedule.occurrence_from(index, Timestamp::MIN);
    std::iter::successors(next(first), move |last| next(last.index + 1))
}

/// When an occurrence runs if its schedule has no end.
fn moved(schedule: &Schedule, index: u64) -> Timestamp {
    let endless = Schedule { end: None, end_after: 0, ..schedule.clone() };
    endless.occurrence(index).expect("within the calendar").at
}

fn instants(schedule: &Schedule, count: usize) -> Vec<String> {
    occurrences(schedule, 0).take(count).map(|occurrence| occurrence.at.to_string()).collect()
}

/// The oracle: a simple calendar.
mod oracle {
    pub(super) fn leap(year: i64) -> bool {
        (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    }

    pub(super) fn length(year: i64, month: i64) -> i64 {
        match month {
            2 if leap(year) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// Sakamoto's method; 0 is Sunday.
    pub(super) fn weekday(year: i64, month: i64, day: i64) -> i64 {
        let table = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let year = if month < 3 { year - 1 } else { year };
        (year + year / 4 - year / 100 + year / 400 + table[usize::try_from(month - 1).unwrap()] + day) % 7
    }

    /// The day of the month that is the `number`th (0: the last) of the days that `wanted` accepts.
    pub(super) fn ordinal(year: i64, month: i64, number: u8, wanted: impl Fn(i64) -> bool) -> i64 {
        let days: Vec<i64> = (1..=length(year, month)).filter(|day| wanted(weekday(year, month, *day))).collect();
        if number == 0 { *days.last().unwrap() } else { days[usize::from(number) - 1] }
    }

    /// Whether a weekday is one of [`super::DAYS`], by its position there.
    pub(super) fn is_of(position: usize, weekday: i64) -> bool {
        match position {
            7 => (1..=5).contains(&weekday),
            8 => weekday == 0 || weekday == 6,
            9 => true,
            number => usize::try_from(weekday) == Ok(number),
        }
    }
}

/// The months of nine years, each with its date by the arithmetic.
fn months(day: MonthDay) -> impl Iterator<Item = (i64, i64, i64)> {
    let monthly = schedule("UTC", date(2024, 1, 1).at(0, 0, 0, 0), Recurrence::Months(1, day));
    (0..9 * 12).map(move |index| {
        let at = monthly.occurrence(index).expect("without end").at;
        let date = TimeZone::UTC.to_datetime(at).date();
        (i64::from(date.year()), i64::from(date.month()), i64::from(date.day()))
    })
}

#[test]
fn a_day_of_a_month_is_what_counting_by_hand_gives() {
    for number in 1..=31 {
        for (year, month, day) in months(MonthDay::Number(number)) {
            assert_eq!(day, i64::from(number).min(oracle::length(year, month)), "{year}-{month}");
        }
    }
    for number in 0..=4 {
        for (position, days) in DAYS.into_iter().enumerate() {
            for (year, month, day) in months(MonthDay::Nth(number, days)) {
                let expected = oracle::ordinal(year, month, number, |weekday| oracle::is_of(position, weekday));
                assert_eq!(day, expected, "{number} {days:?} of {year}-{month}");
            }
        }
    }
}

#[test]
fn weeks_count_from_sunday() {
    let days = vec![5, 1];
    let schedule = schedule("UTC", date(2026, 1, 7).at(1, 0, 0, 0), Recurrence::Weeks(2, days));
    let expected = ["2026-01-09T01:00:00Z", "2026-01-19T01:00:00Z", "2026-01-23T01:00:00Z", "2026-02-02T01:00:00Z"];
    assert_eq!(instants(&schedule, 4), expected);
}

#[test]
fn a_wall_time_in_a_gap_becomes_the_first_instant_after_it() {
    let schedule = schedule("America/New_York", date(2026, 3, 7).at(2, 30, 0, 0), Recurrence::Days(1));
    let expected = ["2026-03-07T07:30:00Z", "2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"];
    assert_eq!(instants(&schedule, 3), expected);
}

#[test]
fn a_repeated_wall_time_runs_once_at_its_first_instant() {
    let schedule = schedule("America/New_York", date(2026, 10, 31).at(1, 30, 0, 0), Recurrence::Days(1));
    let expected = ["2026-10-31T05:30:00Z", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"];
    assert_eq!(instants(&schedule, 3), expected);
}

#[test]
fn hours_are_elapsed_time_across_a_clock_change() {
    let schedule = schedule("Europe/Berlin", date(2026, 3, 29).at(0, 0, 0, 0), Recurrence::Elapsed(7200));
    let expected = ["2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00Z"];
    assert_eq!(instants(&schedule, 3), expected);
}

#[test]
fn the_occurrences_end_after_their_number_or_their_date() {
    let mut schedule = schedule("UTC", date(2026, 1, 1).at(4, 0, 0, 0), Recurrence::Days(1));
    schedule.end = Some(date(2026, 1, 3).at(4, 0, 0, 0));
    assert_eq!(occurrences(&schedule, 0).count(), 3);
    schedule.end_after = 2;
    assert_eq!(occurrences(&schedule, 0).count(), 2);
    assert_eq!(occurrences(&schedule, 1).map(|occurrence| occurrence.index).collect::<Vec<_>>(), [1]);
    assert_eq!(occurrences(&schedule, 2).count(), 0);
}

#[test]
fn a_fleet_spreads_evenly_over_its_window() {
    let mut buckets = [0_f64; 60];
    let window = 3600 - 1;
    for agent in 0..10_000 {
        let seed = format!("{}", 100_000_000_000_000_i64 + agent);
        let daily = schedule("UTC", date(2026, 1, 1).at(0, 0, 0, 0), Recurrence::Days(1));
        let run = Schedule { seed, window, ..daily.clone() }.occurrence(7).expect("without end").at;
        let offset = (run - moved(&daily, 7)).get_seconds();
        assert!((0..=window).contains(&offset));
        buckets[usize::try_from(offset / 60).unwrap()] += 1.0;
    }
    let expected = 10_000.0 / 60.0;
    let chi_square: f64 = buckets.iter().map(|count| (count - expected).powi(2) / expected).sum();
    // 59 degrees of freedom: p > 0.01 below 87.2.
    assert!(chi_square < 87.2, "{chi_square}");
}

#[test]
fn a_run_in_the_exclusion_moves_to_its_end_and_keeps_its_spread() {
    let night = Exclusion { from: time(17, 0, 0, 0), to: time(7, 0, 0, 0) };
    let mut schedule = schedule("UTC", date(2026, 1, 1).at(18, 0, 0, 0), Recurrence::Days(1));
    schedule.exclusion = Some(night);
    assert_eq!(instants(&schedule, 2), ["2026-01-02T07:00:00Z", "2026-01-03T07:00:00Z"]);

    schedule.window = 6 * 3600;
    let allowed = |time: Time| time >= night.to && time < night.from;
    let moved: Vec<Timestamp> = occurrences(&schedule, 0).take(200).map(|occurrence| occurrence.at).collect();
    assert!(moved.iter().all(|instant| allowed(TimeZone::UTC.to_datetime(*instant).time())));
    let distinct: std::collections::BTreeSet<Time> =
        moved.iter().map(|instant| TimeZone::UTC.to_datetime(*instant).time()).collect();
    assert!(distinct.len() > 150, "the runs keep their spread: {}", distinct.len());
}

#[test]
fn equal_ends_exclude_nothing() {
    let mut schedule = schedule("UTC", date(2026, 1, 1).at(0, 0, 0, 0), Recurrence::Days(1));
    schedule.exclusion = Some(Exclusion { from: Time::midnight(), to: Time::midnight() });
    assert_eq!(instants(&schedule, 1), ["2026-01-01T00:00:00Z"]);
}

#[test]
fn the_interval_is_the_shortest_gap() {
    assert_eq!(Recurrence::Weeks(1, vec![1, 3]).interval(), Some(2 * 86_400));
    assert_eq!(Recurrence::Weeks(1, vec![0, 6]).interval(), Some(86_400));
    assert_eq!(Recurrence::Weeks(2, vec![2]).interval(), Some(14 * 86_400));
    assert_eq!(Recurrence::Never.interval(), None);
}

#[test]
fn a_run_is_not_moved_behind_the_end_of_the_calendar() {
    let mut schedule = schedule("UTC", date(9999, 12, 30).at(0, 0, 0, 0), Recurrence::Never);
    schedule.window = 200 * 7 * 86_400;
    let instant = schedule.occurrence(0).unwrap().at;
    assert_eq!(Timestamp::from_microsecond(instant.as_microsecond()).unwrap(), instant);
}

#[test]
fn nothing_runs_after_the_end_although_it_is_planned_before() {
    let end = date(2026, 1, 3).at(4, 0, 0, 0);
    let late = |seconds| format!("2026-01-03T04:00:{seconds:02}Z").parse::<Timestamp>().expect("a moment");
    let hourly =
        Schedule { end: Some(end), ..schedule("UTC", date(2026, 1, 3).at(0, 30, 0, 0), Recurrence::Elapsed(3600)) };
    let spread = Schedule { window: 3600, ..hourly.clone() };
    let kept: Vec<u64> = occurrences(&spread, 0).map(|found| found.index).collect();
    let all: Vec<u64> = (0..4).filter(|index| moved(&spread, *index) <= late(0)).collect();
    assert_eq!(kept, all);
    let paused = Schedule { exclusion: Some(Exclusion { from: time(3, 0, 0, 0), to: time(5, 0, 0, 0) }), ..hourly };
    assert_eq!(instants(&paused, 9), ["2026-01-03T00:30:00Z", "2026-01-03T01:30:00Z", "2026-01-03T02:30:00Z"]);
    let (last, next) = paused.due(0, late(1)).expect("due");
    assert_eq!((last.index, next), (2, None), "the one that would run at 5:00 does not stand for the others");
    assert_eq!(paused.due(3, late(1)), None);
    assert_eq!(paused.occurrence_from(3, Timestamp::MIN), None);
}
