//! Timestamps as strings.

use std::io::Write as _;

use jiff::Timestamp;
use jiff::tz::Offset;

use crate::text::time::text_of_never;

/// Timestamps from here on may mean "never", which [`text_of_never`] writes.
const LAST: Timestamp = Timestamp::constant(253_402_207_200, 0);

/// Appends a UTC timestamp as a JSON string; several times faster than its `Display`.
pub(super) fn write(bytes: &mut Vec<u8>, moment: Timestamp) {
    if moment >= LAST
        && let Some(never) = text_of_never(moment)
    {
        let _ = write!(bytes, "\"{never}\"");
        return;
    }
    let utc = Offset::UTC.to_datetime(moment);
    let Ok(year) = u32::try_from(utc.year()) else {
        // Negative years have another format. Writing to memory cannot fail.
        let _ = write!(bytes, "\"{moment}\"");
        return;
    };
    let mut text = *b"\"0000-00-00T00:00:00";
    put(&mut text[1..5], year);
    for (at, number) in [(6, utc.month()), (9, utc.day()), (12, utc.hour()), (15, utc.minute()), (18, utc.second())] {
        put(&mut text[at..at + 2], u32::from(number.unsigned_abs()));
    }
    bytes.extend_from_slice(&text);

    let nanosecond = utc.subsec_nanosecond().unsigned_abs();
    if nanosecond != 0 {
        let mut fraction = *b".000000000";
        put(&mut fraction[1..], nanosecond);
        let length = fraction.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        bytes.extend_from_slice(&fraction[..length]);
    }
    bytes.extend_from_slice(b"Z\"");
}

/// Fills `digits` with the decimal digits of `number`, last digit first.
fn put(digits: &mut [u8], mut number: u32) {
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789"[(number % 10) as usize];
        number /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_they_display() {
        let spread = (Timestamp::MIN.as_second()..Timestamp::MAX.as_second()).step_by(99_999_989);
        let spread = spread.map(Timestamp::from_second);
        let near = (-2000..2000).map(|number| Timestamp::from_nanosecond(number * 12_345_000));
        let exact = (0..2000).map(|number| Timestamp::from_nanosecond(1_700_000_000_000_000_000 + number * 50));
        for moment in spread.chain(near).chain(exact).chain([Ok(Timestamp::MIN)]) {
            let moment = moment.expect("within the range");
            let mut bytes = Vec::new();
            write(&mut bytes, moment);
            assert_eq!(String::from_utf8(bytes).expect("text"), format!("\"{moment}\""));
        }
    }
}
