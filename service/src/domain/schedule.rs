//! When a patch scan runs: recurrence, time zone, distribution and exclusion.

mod exclusion;
mod local_time;
mod month_day;
mod recurrence;
mod spread;

pub use exclusion::Exclusion;
pub use month_day::{DayKind, MonthDay, Ordinal};
pub use recurrence::{Recurrence, Unit};

use jiff::{SignedDuration, Timestamp, civil, tz::TimeZone};

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
    /// No run after this wall time.
    pub end: Option<civil::DateTime>,
    /// Maximum number of occurrences; 0 means no limit.
    pub end_after: u32,
    /// Each run is moved by up to this many seconds, the same at every evaluation.
    pub window: i64,
    /// Times of day at which no run may happen.
    pub exclusion: Option<Exclusion>,
}

/// One planned run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Its number, from 0.
    pub index: u64,
    /// The wall time that the recurrence gives.
    pub nominal: civil::DateTime,
    /// When it runs, after distribution and exclusion.
    pub instant: Timestamp,
}

impl Schedule {
    /// The occurrence with that number; `None` when the schedule is over before it, or it would run after the end because
    /// distribution or exclusion move it.
    pub fn occurrence(&self, index: u64) -> Option<Occurrence> {
        let (nominal, instant) = self.moment(index)?;
        let instant = self.moved(index, instant);
        let end = self.end.and_then(|end| local_time::instant(&self.zone, end));
        end.is_none_or(|end| instant <= end).then_some(Occurrence { index, nominal, instant })
    }

    /// The first occurrence from number `first` on that runs at `moment` or later. However far back the schedule
    /// starts, this takes steps for a day and a window of its occurrences at most.
    pub fn occurrence_from(&self, first: u64, moment: Timestamp) -> Option<Occurrence> {
        // Nothing is moved further than by the window and a day's exclusion with its share of the window; a clock
        // change may add hours. What lies before all of that runs before the moment.
        let reach = SignedDuration::from_secs(self.window.saturating_mul(2)) + SignedDuration::from_hours(2 * 24);
        let certain = moment.saturating_sub(reach).unwrap_or(Timestamp::MIN);
        // These instants never decrease.
        let before = |index| self.moment(index).is_some_and(|(_, instant)| instant < certain);
        let mut index = partition_point(first, before);
        loop {
            // Near the end one may be moved behind it, and the next one not as far.
            self.moment(index)?;
            if let Some(occurrence) = self.occurrence(index).filter(|occurrence| occurrence.instant >= moment) {
                return Some(occurrence);
            }
            index += 1;
        }
    }

    /// The wall time and the instant that the recurrence gives, while the schedule is not over.
    fn moment(&self, index: u64) -> Option<(civil::DateTime, Timestamp)> {
        if self.end_after != 0 && index >= u64::from(self.end_after) {
            return None;
        }
        let (nominal, instant) = self.recurrence.moment(&self.zone, self.start, index)?;
        let over = match (self.end, &self.recurrence) {
            (None, _) => false,
            // Wall times are repeated when clocks go back: elapsed time goes by the instant.
            (Some(end), Recurrence::Elapsed(_)) => {
                local_time::instant(&self.zone, end).is_some_and(|end| instant > end)
            }
            (Some(end), _) => nominal > end,
        };
        (!over).then_some((nominal, instant))
    }

    /// The first run of a schedule that is put at `now`. One of several is never late from the start.
    pub fn first_run(&self, now: Timestamp) -> Option<Occurrence> {
        if self.recurs() { self.occurrence_from(0, now) } else { self.occurrence(0) }
    }

    /// The last of the occurrences from `first` on that are due at `now`, with the one that follows it.
    pub fn due(&self, first: u64, now: Timestamp) -> Option<(Occurrence, Option<Occurrence>)> {
        let after = now.saturating_add(SignedDuration::from_nanos(1)).unwrap_or(Timestamp::MAX);
        let next = self.occurrence_from(first, after);
        let behind = match &next {
            Some(next) => next.index,
            None => partition_point(first, |index| self.moment(index).is_some()),
        };
        let last = (first..behind).rev().find_map(|index| self.occurrence(index))?;
        Some((last, next))
    }

    /// Whether there is more than one occurrence to wait for: only then may an offline agent be skipped.
    pub fn recurs(&self) -> bool {
        self.recurrence != Recurrence::Never
    }

    /// The moment of a run after distribution and exclusion.
    fn moved(&self, index: u64, instant: Timestamp) -> Timestamp {
        let offset = spread::offset(&self.seed, index, self.window);
        let spread = local_time::plus_seconds(instant, offset);
        match &self.exclusion {
            Some(exclusion) => exclusion.leave(&self.zone, spread, offset),
            None => spread,
        }
    }
}

/// The first number from `first` on that `before` is false of, when it is true of all numbers up to some; found by doubling
/// a step and then halving it.
fn partition_point(first: u64, before: impl Fn(u64) -> bool) -> u64 {
    if !before(first) {
        return first;
    }
    let (mut low, mut step) = (first, 1_u64);
    while before(low.saturating_add(step)) {
        low = low.saturating_add(step);
        step = step.saturating_mul(2);
    }
    // It is true of `low`, and false of `low + step`.
    while step > 1 {
        let half = step / 2;
        if before(low.saturating_add(half)) {
            low = low.saturating_add(half);
            step -= half;
        } else {
            step = half;
        }
    }
    low.saturating_add(1)
}

#[cfg(test)]
mod tests;
