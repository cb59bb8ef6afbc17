//! Times of day without runs.

use jiff::{Timestamp, civil, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{DAY, local_time};

/// A daily pause from `from` to `to`; it may pass midnight. Equal times mean no pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusion {
    /// The first excluded time of day.
    pub from: civil::Time,
    /// The first allowed time of day after it.
    pub to: civil::Time,
}

impl Exclusion {
    /// Moves a run to the end of the pause, plus its `offset` within the allowed part of the day, so that not
    /// all machines start at once.
    pub(super) fn leave(&self, zone: &TimeZone, instant: Timestamp, offset: i64) -> Timestamp {
        let wall = zone.to_datetime(instant);
        if !self.contains(wall.time()) {
            return instant;
        }
        let ends_today = wall.time() < self.to;
        let day = if ends_today { Ok(wall.date()) } else { wall.date().tomorrow() };
        let end = day.ok().and_then(|day| local_time::instant(zone, day.to_datetime(self.to)));
        // `None` only at the end of the calendar.
        let Some(end) = end else { return instant };
        let moved = local_time::plus_seconds(end, offset % self.allowed_seconds());
        // The allowed part is shorter on a day with a clock change.
        if self.contains(zone.to_datetime(moved).time()) { end } else { moved }
    }

    fn contains(&self, time: civil::Time) -> bool {
        if self.from <= self.to { self.from <= time && time < self.to } else { self.from <= time || time < self.to }
    }

    /// The allowed seconds of a day; at least 60, because times have no seconds.
    fn allowed_seconds(&self) -> i64 {
        (seconds(self.from) - seconds(self.to)).rem_euclid(DAY).max(1)
    }
}

fn seconds(time: civil::Time) -> i64 {
    i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second())
}
