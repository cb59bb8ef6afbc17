//! Converts wall times to instants.

use jiff::{
    SignedDuration, Timestamp, civil,
    tz::{AmbiguousOffset, TimeZone},
};

use crate::domain::moment::LAST;

/// The instant of a wall time: in a gap, the first instant after it; in a repeated hour, the first of the
/// two. `None` at the ends of the calendar.
pub(super) fn instant(zone: &TimeZone, wall: civil::DateTime) -> Option<Timestamp> {
    let ambiguous = zone.to_ambiguous_timestamp(wall);
    match ambiguous.offset() {
        AmbiguousOffset::Gap { after, .. } => {
            // With the later offset, the wall time is before the change, so the next change is the end of the gap.
            after
                .to_timestamp(wall)
                .ok()
                .and_then(|before| zone.following(before).next())
                .map(|transition| transition.timestamp())
        }
        AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
            offset.to_timestamp(wall).ok()
        }
    }
}

/// `instant` plus `seconds`, saturating.
pub(super) fn plus_seconds(instant: Timestamp, seconds: i64) -> Timestamp {
    instant.saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(LAST).min(LAST)
}
