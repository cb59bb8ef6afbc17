//! Known date, time and duration types of Rust, and the format that each is written in.

use super::rust;

/// A type that generated code reads and writes in a format.
pub(crate) struct Moment {
    /// The output of [`rust::short`].
    short: &'static str,
    /// The full path.
    pub(crate) path: &'static str,
    /// The format.
    pub(crate) format: &'static str,
    /// The runtime module that it requires.
    pub(crate) module: Option<&'static str>,
}

/// Of several types with one crate and format, the first is used for the crate's name.
const MOMENTS: &[Moment] = &[
    moment("jiff::Timestamp", "::jiff::Timestamp", "date-time", None),
    moment("jiff::Date", "::jiff::civil::Date", "date", None),
    moment("jiff::Time", "::jiff::civil::Time", "time", None),
    moment("jiff::DateTime", "::jiff::civil::DateTime", "date-time-local", None),
    moment("jiff::SpanFieldwise", "::jiff::SpanFieldwise", "duration", None),
    moment("chrono::DateTime<Utc>", "::chrono::DateTime<::chrono::Utc>", "date-time", CHRONO),
    moment("chrono::DateTime<FixedOffset>", "::chrono::DateTime<::chrono::FixedOffset>", "date-time", CHRONO),
    moment("chrono::NaiveDate", "::chrono::NaiveDate", "date", CHRONO),
    moment("chrono::NaiveTime", "::chrono::NaiveTime", "time", CHRONO),
    moment("chrono::NaiveDateTime", "::chrono::NaiveDateTime", "date-time-local", CHRONO),
    moment("time::OffsetDateTime", "::time::OffsetDateTime", "date-time", TIME),
    moment("time::UtcDateTime", "::time::UtcDateTime", "date-time", TIME),
    moment("time::Date", "::time::Date", "date", TIME),
    moment("time::Time", "::time::Time", "time", TIME),
    moment("time::PrimitiveDateTime", "::time::PrimitiveDateTime", "date-time-local", TIME),
    moment("time::PlainDateTime", "::time::PrimitiveDateTime", "date-time-local", TIME),
];

const CHRONO: Option<&str> = Some("chrono");
const TIME: Option<&str> = Some("time");

/// Types without a standard format, with the reason. Type arguments are ignored.
const OTHERS: &[(&str, &str)] = &[
    ("chrono::DateTime", "it displays `2026-01-02 03:04:05 +01:00`"),
    ("chrono::Duration", NOT_READ),
    ("chrono::TimeDelta", NOT_READ),
    ("humantime::Duration", "it displays `1h 30m`"),
    ("jiff::Zoned", "it displays `2026-01-02T03:04:05+01:00[Europe/Paris]`"),
    ("time::Duration", "it displays `1h30m`"),
    ("time::SignedDuration", "it displays `1h30m`"),
    ("time::Timestamp", NOT_READ),
    ("std::Duration", NOT_SHOWN),
    ("core::Duration", NOT_SHOWN),
    ("std::Instant", NOT_SHOWN),
    ("std::SystemTime", NOT_SHOWN),
];

const NOT_READ: &str = "it is not read from a text";
const NOT_SHOWN: &str = "it is neither displayed nor read from a text";

const fn moment(short: &'static str, path: &'static str, format: &'static str, module: Option<&'static str>) -> Moment {
    Moment { short, path, format, module }
}

/// The known type at a path.
pub(crate) fn at(path: &str) -> Option<&'static Moment> {
    let short = rust::short(path)?;
    MOMENTS.iter().find(|moment| moment.short == short)
}

/// The type that a crate name means for this format.
pub(crate) fn of_crate(name: &str, format: &str) -> Option<&'static Moment> {
    of_format(format).find(|moment| is_of(moment, name))
}

/// Whether it is the name of a crate with such types.
pub(crate) fn is_crate(name: &str) -> bool {
    MOMENTS.iter().any(|moment| is_of(moment, name))
}

fn is_of(moment: &Moment, name: &str) -> bool {
    moment.short.split_once("::").is_some_and(|(of, _)| of == name)
}

/// The types for a format; empty if it is not a date, a time or a duration.
pub(crate) fn of_format(format: &str) -> impl Iterator<Item = &'static Moment> {
    let format = if format == "datetime" { "date-time" } else { format };
    MOMENTS.iter().filter(move |moment| moment.format == format)
}

/// Why a type does not have this format.
pub(crate) fn why_not(path: &str, format: &str) -> Option<String> {
    of_format(format).next()?;
    if let Some(moment) = at(path) {
        let is_written = of_format(format).any(|other| other.path == moment.path);
        return (!is_written).then(|| format!("it is written as a `{}`", moment.format));
    }
    let short = rust::short(path)?;
    let name = short.split('<').next().unwrap_or_default();
    OTHERS.iter().find(|(other, _)| *other == name).map(|(_, why)| (*why).to_owned())
}
