//! Converts the body of a schedule request to the domain's schedule.

use generated_server::{
    models::{DayOfMonth, Interval, MonthOfYear, PatchScanSchedule, Recurrence as Body, Repeat},
    runtime::{
        json,
        text::{self, FromText as _},
    },
};
use jiff::{
    Timestamp,
    civil::{Date, DateTime, Time, date},
};

use crate::domain::{
    refusal::Refusal,
    scan_plan::ScanPlan,
    schedule::{DAY, Exclusion, HOUR, MINUTE, MONTH, MonthDay, Recurrence, WEEK, Weekdays, YEAR},
};

/// The first allowed day of schedules: that of the first year in the description, in any time zone.
const FIRST_DAY: Date = date(1899, 12, 31);

/// Maximum length of `Attributes` as JSON.
const MOST_ATTRIBUTES: usize = 16 << 10;

/// The plan of a request, or every violated rule.
pub(super) fn read(body: &PatchScanSchedule) -> Result<ScanPlan, Vec<Refusal>> {
    let mut refusals = Vec::new();
    let mut written = |pointer: &str, text: &str| {
        written(text).map_err(|refusal| refusals.push(Refusal::new(pointer, refusal.code, refusal.detail))).ok()
    };
    let start = written("/Start/StartOn", &body.start.start_on);
    let last_day = body.recurrence.end_on.as_deref().map(|text| written("/Recurrence/EndOn", text));
    let (Some(start), Some(last_day)) = (start, last_day.map_or(Some(None), |day| day.map(Some))) else {
        return Err(refusals);
    };
    let start = match body.start.start_at.as_deref().and_then(time) {
        Some(time) => start.date().to_datetime(time),
        None => start,
    };
    let end_at = body.recurrence.end_at.as_deref().and_then(time).unwrap_or(Time::MAX);
    let end = last_day.map(|day| day.date().to_datetime(end_at));
    for (pointer, day) in [("/Start/StartOn", Some(start)), ("/Recurrence/EndOn", end)] {
        if day.is_some_and(|day| day.date() < FIRST_DAY) {
            refusals.push(Refusal::new(pointer, "range", "lies before the year 1900"));
        }
    }
    if end.is_some_and(|end| end < start) {
        refusals.push(Refusal::new("/Recurrence/EndOn", "minimum", "is before the start"));
    }
    let recurrence = recurrence(&body.recurrence, start);
    let window = window(body);
    if recurrence.interval().is_some_and(|interval| window > interval) {
        let detail = "is longer than the time between two scans";
        refusals.push(Refusal::new("/Distribution/Magnitude", "maximum", detail));
    }
    let attributes = body.attributes.as_ref().map(|value| String::from_utf8_lossy(&json::to_vec(value)).into_owned());
    if let Some(bytes) = attributes.as_ref().map(String::len).filter(|bytes| *bytes > MOST_ATTRIBUTES) {
        let detail = format!("has {bytes} bytes as JSON, at most {MOST_ATTRIBUTES}");
        refusals.push(Refusal::new("/Attributes", "maxLength", detail));
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    Ok(ScanPlan {
        server_time_zone: body.server_time_zone.unwrap_or(false),
        skip_if_offline: body.skip_if_off_line.unwrap_or(false),
        power_up_if_offline: body.power_up_if_off_line.unwrap_or(false),
        patch_ids: body.patch_ids.clone(),
        recurrence,
        start,
        end,
        end_after: body.recurrence.end_after_interval_times.and_then(|times| u32::try_from(times).ok()).unwrap_or(0),
        window,
        exclusion: exclusion(body),
        attributes,
    })
}

fn recurrence(body: &Body, start: DateTime) -> Recurrence {
    let times = body.times.and_then(|times| u32::try_from(times).ok()).unwrap_or(1).max(1);
    let month_day = match (body.day_of_month, body.specific_day_of_month) {
        (Some(day), _) => ordinal(day),
        (None, Some(day)) => MonthDay::Number(i8::try_from(day).unwrap_or(31)),
        (None, None) => MonthDay::Number(start.day()),
    };
    match body.repeat.unwrap_or(Repeat::Never) {
        Repeat::Never => Recurrence::Never,
        Repeat::Minutes => Recurrence::Elapsed(i64::from(times) * MINUTE),
        Repeat::Hours => Recurrence::Elapsed(i64::from(times) * HOUR),
        Repeat::Days => Recurrence::Days(times),
        Repeat::Weeks => Recurrence::Weeks(times, weekdays(body.days_of_week.as_deref(), start)),
        Repeat::Months => Recurrence::Months(times, month_day),
        Repeat::Years => Recurrence::Years(times, body.month_of_year.map_or(start.month(), month), month_day),
    }
}

/// Date and time as written, ignoring the offset: a schedule uses the agent's zone.
fn written(text: &str) -> Result<DateTime, text::Refusal> {
    Timestamp::from_text(text)?;
    let local = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    local.parse().map_err(|_| text::Refusal::new("format", text, "a date and time such as `2025-01-31T12:00:00Z`"))
}

fn window(body: &PatchScanSchedule) -> i64 {
    let unit = match body.distribution.interval.unwrap_or(Interval::Minutes) {
        Interval::Minutes => MINUTE,
        Interval::Hours => HOUR,
        Interval::Days => DAY,
        Interval::Weeks => WEEK,
        Interval::Months => MONTH,
        Interval::Years => YEAR,
    };
    unit * body.distribution.magnitude.unwrap_or(0)
}

fn exclusion(body: &PatchScanSchedule) -> Option<Exclusion> {
    let exclusion = body.exclusion.as_ref()?;
    Some(Exclusion { from: time(&exclusion.from)?, to: time(&exclusion.to)? })
}

/// `T1345` or `1345`; the description has checked the digits.
fn time(text: &str) -> Option<Time> {
    let digits = text.trim_start_matches('T');
    let (hour, minute) = digits.split_at_checked(2)?;
    Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

/// `Monday,Thursday` as days since Sunday; by default, the weekday of the start.
fn weekdays(text: Option<&str>, start: DateTime) -> Vec<i8> {
    const NAMES: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    let named = text.unwrap_or_default().split(',').filter_map(|name| {
        let position = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name.trim()))?;
        i8::try_from(position).ok()
    });
    let mut days: Vec<i8> = named.collect();
    days.sort_unstable();
    days.dedup();
    if days.is_empty() { vec![start.weekday().to_sunday_zero_offset()] } else { days }
}

/// The number of a month; the description lists them from January on.
fn month(month: MonthOfYear) -> i8 {
    month as i8 + 1
}

/// `SecondTuesday` is a number and some weekdays, in this order.
fn ordinal(day: DayOfMonth) -> MonthDay {
    const KINDS: [(&str, u8); 10] = [
        ("Sunday", 1),
        ("Monday", 1 << 1),
        ("Tuesday", 1 << 2),
        ("Wednesday", 1 << 3),
        ("Thursday", 1 << 4),
        ("Friday", 1 << 5),
        ("Saturday", 1 << 6),
        ("WeekDay", 0b011_1110),
        ("WeekendDay", 0b100_0001),
        ("Day", 0b111_1111),
    ];
    let ordinals = (0..).zip(["Last", "First", "Second", "Third", "Fourth"]);
    let found = ordinals.into_iter().find_map(|(number, ordinal)| {
        let kind = day.as_str().strip_prefix(ordinal)?;
        let (_, days) = KINDS.iter().find(|(name, _)| *name == kind)?;
        Some(MonthDay::Nth(number, Weekdays(*days)))
    });
    // All fifty names are built from the two lists.
    found.unwrap_or(MonthDay::Number(1))
}
