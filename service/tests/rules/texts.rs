//! Texts that stand for something else: moments, time zones and keys.

use jiff::{Timestamp, tz::TimeZone};
use service::domain::{
    idempotency::RequestHash,
    moment::kept,
    time_zone::{Error, NamedZone},
};

#[test]
fn what_is_kept_can_be_read() {
    for (text, expected) in [
        ("0001-01-01T00:00:00Z", Some("0001-01-01T00:00:00Z")),
        ("2024-02-29T12:00:00.1234567Z", Some("2024-02-29T12:00:00.123456Z")),
        ("9999-12-30T22:00:00Z", Some("9999-12-30T22:00:00Z")),
        ("9999-12-30T22:00:00.000000001Z", Some("9999-12-30T22:00:00Z")),
        ("9999-12-30T22:00:00.000001Z", None),
        ("0000-12-31T23:59:59.999999999Z", None),
        ("-009999-01-02T01:59:59Z", None),
    ] {
        let found = kept(text.parse().expect("a moment")).ok();
        assert_eq!(found.map(|moment| moment.to_string()).as_deref(), expected, "{text}");
    }
    assert!(kept(Timestamp::MAX).is_err() && kept(Timestamp::MIN).is_err());
}

#[test]
fn a_zone_that_is_not_known_is_not_taken_for_another() {
    assert_eq!(NamedZone::get("europe/berlin").unwrap().name, "Europe/Berlin");
    assert_eq!(NamedZone::get("UTC").unwrap().zone, TimeZone::UTC);
    for name in ["Europe/Atlantis", "", "Etc/Unknown", "EST5EDT4,M3.2.0,M11.1.0", "/etc/localtime"] {
        assert_eq!(NamedZone::get(name), Err(Error::Unknown(name.into())));
    }
}

#[test]
fn parts_are_told_apart() {
    assert_ne!(RequestHash::of(&[b"ab", b"c"]), RequestHash::of(&[b"a", b"bc"]));
    assert_eq!(RequestHash::of(&[b"ab", b"c"]), RequestHash::of(&[b"ab", b"c"]));
}
