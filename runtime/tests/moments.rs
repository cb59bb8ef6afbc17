//! Dates and times of chrono and of time are written as RFC 3339 has them, and read strictly to it.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use specwright_runtime::json::{from_slice_strict, to_vec};
use specwright_runtime::text::{FromText, ToText};
use time::{Date, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime, UtcOffset};

/// It is read, and written as `expected`.
fn comes_back<T: FromText + ToText>(text: &str, expected: &str) {
    let read = T::from_text(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    assert_eq!(read.to_text(), expected);
}

fn is_refused<T: FromText>(texts: &[&str], expected: &str) {
    for text in texts {
        let Err(refusal) = T::from_text(text) else { panic!("{text} is read") };
        assert_eq!((refusal.code, refusal.detail), ("format", format!("is `{text}`, not {expected}")));
    }
}

/// Texts of instants: what is read, what keeps its offset, what is in UTC.
const INSTANTS: &[(&str, &str, &str)] = &[
    ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
    ("2026-01-02t03:04:05z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
    ("2026-01-02 03:04:05-00:00", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
    ("2026-01-02T03:04:05.123+01:30", "2026-01-02T03:04:05.123+01:30", "2026-01-02T01:34:05.123Z"),
    ("2026-01-02T03:04:05.123456789-23:59", "2026-01-02T03:04:05.123456789-23:59", "2026-01-03T03:03:05.123456789Z"),
    ("2026-01-02T03:04:05.1234567899Z", "2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05.123456789Z"),
    ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z", "2016-12-31T23:59:59Z"),
    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
];

const NO_INSTANTS: &[&str] = &[
    "",
    "2026-01-02",
    "2026-01-02T03:04:05",
    "2026-01-02T03:04Z",
    "2026-01-02T03:04:05 UTC",
    "2026-01-02T03:04:05+01",
    "2026-01-02T03:04:05+0100",
    "2026-01-02T03:04:05+1:00",
    "2026-01-02T03:04:05+24:00",
    "2026-01-02T03:04:05+00:60",
    "2026-01-02T03:04:05+01:00[Europe/Paris]",
    "2026-01-02T03:04:05.Z",
    "2026-01-02T03:04:05,5Z",
    "2026-01-02T24:00:00Z",
    "2026-02-30T03:04:05Z",
    "20260102T030405Z",
    "+12026-01-02T03:04:05Z",
    "-0001-01-02T03:04:05Z",
    " 2026-01-02T03:04:05Z",
    "2026-01-02T03:04:0é",
];

#[test]
fn instants() {
    for (text, kept, utc) in INSTANTS {
        comes_back::<DateTime<FixedOffset>>(text, kept);
        comes_back::<OffsetDateTime>(text, kept);
        comes_back::<DateTime<Utc>>(text, utc);
        comes_back::<UtcDateTime>(text, utc);
    }
    let expected = "a date and time such as `2025-01-31T12:00:00Z`";
    is_refused::<DateTime<FixedOffset>>(NO_INSTANTS, expected);
    is_refused::<DateTime<Utc>>(NO_INSTANTS, expected);
    is_refused::<OffsetDateTime>(NO_INSTANTS, expected);
    is_refused::<UtcDateTime>(NO_INSTANTS, expected);
}

#[test]
fn dates_and_times_of_day() {
    for text in ["2026-01-02", "0000-02-29", "9999-12-31"] {
        comes_back::<NaiveDate>(text, text);
        comes_back::<Date>(text, text);
    }
    let texts = ["", "2026-1-2", "20260102", "2026-02-29", "2026-01-02T00:00:00Z", "2026-01-02 ", "+2026-01-02"];
    is_refused::<NaiveDate>(&texts, "a date such as `2025-01-31`");
    is_refused::<Date>(&texts, "a date such as `2025-01-31`");

    for (text, expected) in [
        ("03:04:05", "03:04:05"),
        ("23:59:59.1250", "23:59:59.125"),
        ("03:04:05+01:00", "03:04:05"),
        ("00:00:00Z", "00:00:00"),
    ] {
        comes_back::<NaiveTime>(text, expected);
        comes_back::<Time>(text, expected);
    }
    let texts = ["", "03:04", "3:04:05", "24:00:00", "03:04:05 UTC", "03:04:05+1", "T03:04:05"];
    is_refused::<NaiveTime>(&texts, "a time such as `12:00:00`");
    is_refused::<Time>(&texts, "a time such as `12:00:00`");

    comes_back::<NaiveDateTime>("2026-01-02T03:04:05.5", "2026-01-02T03:04:05.500");
    comes_back::<PrimitiveDateTime>("2026-01-02T03:04:05.5", "2026-01-02T03:04:05.5");
    let texts = ["", "2026-01-02", "2026-01-02T03:04", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05+01:00"];
    is_refused::<NaiveDateTime>(&texts, "a date and time such as `2025-01-31T12:00:00`");
    is_refused::<PrimitiveDateTime>(&texts, "a date and time such as `2025-01-31T12:00:00`");
}

#[test]
fn in_json_they_are_strings() {
    let moments: Vec<DateTime<Utc>> = from_slice_strict(br#"["2026-01-02T03:04:05+01:00"]"#).expect("it is read");
    assert_eq!(to_vec(&moments), br#"["2026-01-02T02:04:05Z"]"#);
    let days: Vec<Date> = from_slice_strict(br#"["2026-01-02"]"#).expect("it is read");
    assert_eq!(to_vec(&days), br#"["2026-01-02"]"#);
    let violations =
        from_slice_strict::<Vec<DateTime<Utc>>>(br#"["2026-01-02 03:04:05 UTC"]"#).expect_err("it has no form");
    assert_eq!((violations[0].code, violations[0].pointer.as_str()), ("format", "/0"));
}

#[test]
fn values_outside_the_format_are_still_written() {
    let offset = FixedOffset::east_opt(3_601).expect("it is an offset");
    let moment = DateTime::<Utc>::UNIX_EPOCH.with_timezone(&offset);
    assert_eq!(moment.to_text(), "1970-01-01T00:00:00Z");
    assert_eq!(DateTime::<Utc>::MAX_UTC.to_text(), "+262142-12-31T23:59:59.999999999Z");
    assert_eq!(DateTime::<Utc>::MAX_UTC.with_timezone(&offset).to_text(), "+262142-12-31T23:59:59.999999999Z");
    assert_eq!(NaiveDateTime::MIN.to_text(), "-262143-01-01T00:00:00");
    assert_eq!(NaiveDate::MIN.to_text(), "-262143-01-01");
    let leap = NaiveTime::from_hms_nano_opt(23, 59, 59, 1_500_000_000).expect("it is a leap second");
    assert_eq!(leap.to_text(), "23:59:60.500");

    let offset = UtcOffset::from_hms(-1, -30, -1).expect("it is an offset");
    assert_eq!(OffsetDateTime::UNIX_EPOCH.to_offset(offset).to_text(), "1970-01-01T00:00:00Z");
    let last = PrimitiveDateTime::MAX.assume_offset(offset);
    assert_eq!(last.to_text(), "9999-12-31T23:59:59.999999999-01:30");
    assert_eq!(Date::MIN.to_text(), "-9999-01-01");
}
