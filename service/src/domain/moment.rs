//! The range of timestamps in a store.

use jiff::Timestamp;

/// The first timestamp of the years that the description allows: 0001 to 9999.
const FIRST: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// The last one that `Timestamp` can represent, in microseconds.
pub const LAST: Timestamp = Timestamp::constant(253_402_207_200, 0);

/// The timestamp in microseconds, as stored; the error is the rest of a sentence about it.
pub fn kept(moment: Timestamp) -> Result<Timestamp, &'static str> {
    if moment < FIRST {
        return Err("lies before the year 1");
    }
    let kept = Timestamp::from_microsecond(moment.as_microsecond()).ok().filter(|moment| *moment <= LAST);
    kept.ok_or("lies after 9999-12-30T22:00:00Z")
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
