//! Compares the arithmetic with walking through every occurrence.

use jiff::{Span, civil::Weekday, tz::AmbiguousOffset};

use super::*;

/// A deterministic pseudorandom sequence.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        i64::try_from((self.0 >> 33) % u64::try_from(bound).unwrap()).unwrap()
    }

    fn small(&mut self, from: i64, to: i64) -> u32 {
        u32::try_from(from + self.below(to - from + 1)).unwrap()
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(i64::try_from(of.len()).unwrap())).unwrap()]
    }

    fn time(&mut self) -> Time {
        time(i8::try_from(self.below(24)).unwrap(), i8::try_from(self.below(60)).unwrap(), 0, 0)
    }
}

const ZONES: [&str; 9] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    // Skipped a whole day in 2011.
    "Pacific/Apia",
    "America/St_Johns",
    "Africa/Casablanca",
    "Antarctica/Troll",
];

fn random(numbers: &mut Numbers) -> Schedule {
    let month_day = match numbers.below(2) {
        0 => MonthDay::Number(i8::try_from(numbers.small(1, 31)).unwrap()),
        _ => MonthDay::Nth(numbers.pick(&[0, 1, 2, 3, 4]), numbers.pick(&DAYS)),
    };
    let recurrence = match numbers.below(7) {
        0 => Recurrence::Never,
        1 => Recurrence::Elapsed(60 * i64::from(numbers.small(1, 90))),
        2 => Recurrence::Elapsed(3600 * i64::from(numbers.small(1, 90))),
        3 => Recurrence::Days(numbers.small(1, 40)),
        4 => {
            let weekdays = (0..numbers.small(1, 7)).map(|_| i8::try_from(numbers.below(7)).unwrap()).collect();
            Recurrence::Weeks(numbers.small(1, 9), weekdays)
        }
        5 => Recurrence::Months(numbers.small(1, 30), month_day),
        _ => Recurrence::Years(numbers.small(1, 12), i8::try_from(numbers.small(1, 12)).unwrap(), month_day),
    };
    let year = i16::try_from(1970 + numbers.below(1030)).unwrap();
    let day = Span::new().days(numbers.below(366));
    let start = date(year, 1, 1).checked_add(day).unwrap().to_datetime(numbers.time());
    let window = match recurrence.interval() {
        Some(interval) if numbers.below(2) == 0 => numbers.below(interval + 1),
        _ => 0,
    };
    let exclusion = (numbers.below(2) == 0).then(|| Exclusion { from: numbers.time(), to: numbers.time() });
    let end = (numbers.below(3) == 0)
        .then(|| start.checked_add(Span::new().days(numbers.below(4000)).minutes(numbers.below(1440))).unwrap());
    let end_after = if numbers.below(4) == 0 { numbers.small(1, 300) } else { 0 };
    let zone = numbers.pick(&ZONES);
    Schedule { end, end_after, window, exclusion, ..schedule(zone, start, recurrence) }
}

/// The instant of a wall time: the first one after a gap, and the first one of two.
fn instant(zone: &TimeZone, wall: DateTime) -> Timestamp {
    let ambiguous = zone.to_ambiguous_timestamp(wall);
    match ambiguous.offset() {
        AmbiguousOffset::Gap { .. } => {
            let behind = ambiguous.later().unwrap() + SignedDuration::from_nanos(1);
            zone.preceding(behind).next().unwrap().timestamp()
        }
        _ => ambiguous.earlier().unwrap(),
    }
}

/// The first `count` instants, found by walking.
fn walk(schedule: &Schedule, count: usize) -> Vec<Timestamp> {
    let (zone, start) = (&schedule.zone, schedule.start);
    let limit = if schedule.end_after == 0 { count } else { count.min(schedule.end_after as usize) };
    let instant = |wall| instant(zone, wall);
    let mut found = Vec::new();
    match &schedule.recurrence {
        Recurrence::Elapsed(seconds) => {
            let mut moment = instant(start);
            while found.len() < limit && schedule.end.is_none_or(|end| moment <= instant(end)) {
                found.push(moment);
                moment += SignedDuration::from_secs(*seconds);
            }
        }
        recurrence => {
            let mut day = start.date();
            while found.len() < limit && schedule.end.is_none_or(|end| day.to_datetime(start.time()) <= end) {
                if falls_on(recurrence, start.date(), day) {
                    found.push(instant(day.to_datetime(start.time())));
                }
                if *recurrence == Recurrence::Never && day > start.date() || day.year() > 9000 {
                    break;
                }
                day = day.tomorrow().unwrap();
            }
        }
    }
    found
}

/// Whether a day belongs to the recurrence.
fn falls_on(recurrence: &Recurrence, start: Date, day: Date) -> bool {
    let days = i64::from((day - start).get_days());
    let sunday = |of: Date| {
        let mut of = of;
        while of.weekday() != Weekday::Sunday {
            of = of.yesterday().unwrap();
        }
        of
    };
    let months = |of: Date| i64::from(of.year()) * 12 + i64::from(of.month());
    match recurrence {
        Recurrence::Never | Recurrence::Elapsed(_) => day == start,
        Recurrence::Days(every) => days % i64::from(*every) == 0,
        Recurrence::Weeks(every, weekdays) => {
            weekdays.contains(&day.weekday().to_sunday_zero_offset()) && {
                let weeks = i64::from((sunday(day) - sunday(start)).get_days()) / 7;
                weeks % i64::from(*every) == 0
            }
        }
        Recurrence::Months(every, month_day) => {
            (months(day) - months(start)) % i64::from(*every) == 0 && is(*month_day, day)
        }
        Recurrence::Years(every, month, month_day) => {
            i64::from(day.year() - start.year()) % i64::from(*every) == 0
                && day.month() == *month
                && is(*month_day, day)
        }
    }
}

/// Whether a day is this day of its month, by the oracle of the other tests.
fn is(month_day: MonthDay, day: Date) -> bool {
    let (year, month) = (i64::from(day.year()), i64::from(day.month()));
    let expected = match month_day {
        MonthDay::Number(number) => i64::from(number).min(oracle::length(year, month)),
        MonthDay::Nth(number, days) => {
            let position = DAYS.iter().position(|known| *known == days).unwrap();
            oracle::ordinal(year, month, number, |weekday| oracle::is_of(position, weekday))
        }
    };
    i64::from(day.day()) == expected
}

#[test]
fn arithmetic_gives_what_walking_gives() {
    let mut numbers = Numbers(17);
    for _ in 0..3000 {
        let schedule = random(&mut numbers);
        // Walk day by day.
        let count = if matches!(schedule.recurrence, Recurrence::Years(..)) { 6 } else { 30 };
        let walked = walk(&schedule, count);
        let counted: Vec<_> = occurrences(&schedule, 0).take_while(|found| found.index < count as u64).collect();
        let end = schedule.end.map(|end| instant(&schedule.zone, end));
        let plain = Schedule { window: 0, exclusion: None, ..schedule.clone() };
        let planned = walked.into_iter().zip(0..).map(|(instant, index)| {
            assert_eq!(moved(&plain, index), instant, "{schedule:?}");
            PlannedRun { index, at: moved(&schedule, index) }
        });
        let expected: Vec<_> = planned.filter(|found| end.is_none_or(|end| found.at <= end)).collect();
        assert_eq!(counted, expected, "{schedule:?}");
    }
}

#[test]
fn the_first_occurrence_from_a_moment_is_the_one_that_looking_at_all_finds() {
    const COUNT: usize = 150;
    let mut numbers = Numbers(1_234_567);
    for _ in 0..3000 {
        let schedule = random(&mut numbers);
        let all: Vec<PlannedRun> = occurrences(&schedule, 0).take(COUNT).collect();
        let first = u64::try_from(numbers.below(30)).unwrap();
        let Some(last) = all.last().map(|last| last.index) else {
            assert_eq!(schedule.occurrence_from(first, Timestamp::MIN), None);
            continue;
        };
        let near = all[usize::try_from(numbers.below(i64::try_from(all.len()).unwrap())).unwrap()].at;
        let moment = near + SignedDuration::from_secs(numbers.below(3 * 86_400) - 2 * 86_400);
        let expected = all.iter().find(|occurrence| occurrence.index >= first && occurrence.at >= moment).copied();
        // Beyond the walk, only the order is known.
        let found = schedule.occurrence_from(first, moment);
        match expected {
            Some(_) => assert_eq!(found, expected, "{schedule:?} from {first} at {moment}"),
            None => assert!(found.is_none_or(|found| found.index > last), "{schedule:?}"),
        }
    }
}

#[test]
fn a_schedule_from_the_year_1_is_found_without_walking() {
    let mut schedule = schedule("Europe/Berlin", date(1, 1, 1).at(0, 0, 0, 0), Recurrence::Elapsed(60));
    schedule.exclusion = Some(Exclusion { from: time(8, 0, 0, 0), to: time(7, 59, 0, 0) });
    schedule.window = 60;
    // A walk from the first occurrence would take too long.
    let moment = "2999-06-01T12:00:00Z".parse().unwrap();
    let found = schedule.occurrence_from(0, moment).unwrap();
    assert!(found.index > 1_500_000_000, "{}", found.index);
    assert_eq!(schedule.occurrence(found.index), Some(found));

    for index in [6_000_000_000, u64::from(u32::MAX) * 7, u64::MAX] {
        // It is beyond the calendar.
        assert_eq!(schedule.occurrence(index), None);
    }
    schedule.recurrence = Recurrence::Elapsed(1);
    assert_eq!(schedule.occurrence(5_000_000_000).unwrap().index, 5_000_000_000, "numbers exceed 32 bits");
}
