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
