//! When a patch scan runs: recurrence, time zone, distribution and exclusion.

mod exclusion;
mod local_time;
mod month_day;
mod recurrence;
mod spread;

pub use exclusion::Exclusion;
pub use month_day::{DayKind, MonthDay, Ordinal};
pub use recurrence::{Recurrence, Unit};

use jiff::{Timestamp, civil, tz::TimeZone};

/// A schedule as it is kept: everything that decides when its runs happen.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// What spreads the runs of different agents: the agent's id and the number of the schedule.
    pub seed: String,
    /// The zone in which wall times are meant.
    pub zone: TimeZone,
    /// The first moment at which it may run, a wall time in `zone`.
    pub start: civil::DateTime,
    /// How it repeats.
    pub recurrence: Recurrence,
    /// No occurrence after this wall time.
    pub end: Option<civil::DateTime>,
    /// At most so many occurrences; 0 means no limit.
    pub end_after: u32,
    /// Each run is moved by 0 up to so many seconds, the same at every evaluation.
    pub window: i64,
    /// Times of day at which no run may happen.
    pub exclusion: Option<Exclusion>,
}

/// One planned run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Its number, from 0.
    pub index: u32,
    /// The wall time that the recurrence gives.
    pub nominal: civil::DateTime,
    /// When it runs, after distribution and exclusion.
    pub instant: Timestamp,
}

impl Schedule {
    /// Every occurrence from number `first` on, in order of their numbers.
    pub fn occurrences(&self, first: u32) -> impl Iterator<Item = Occurrence> + '_ {
        self.recurrence
            .moments(&self.zone, self.start, first)
            .take_while(move |(index, nominal, _)| {
                (self.end_after == 0 || *index < self.end_after) && self.end.is_none_or(|end| *nominal <= end)
            })
            .map(|(index, nominal, instant)| Occurrence { index, nominal, instant: self.moved(index, instant) })
    }

    /// Whether there is more than one occurrence to wait for: only then may an offline agent be skipped.
    pub fn recurs(&self) -> bool {
        self.recurrence != Recurrence::Never
    }

    /// The moment of a run after distribution and exclusion.
    fn moved(&self, index: u32, instant: Timestamp) -> Timestamp {
        let offset = spread::offset(&self.seed, index, self.window);
        let spread = local_time::plus_seconds(instant, offset);
        match &self.exclusion {
            Some(exclusion) => exclusion.leave(&self.zone, spread, offset),
            None => spread,
        }
    }
}

#[cfg(test)]
mod tests;
