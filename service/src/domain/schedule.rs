//! When a patch scan runs: recurrence, time zone, distribution and exclusion.

mod exclusion;
mod local_time;
mod month_day;
mod recurrence;

pub use exclusion::Exclusion;
pub use month_day::{MonthDay, Weekdays};
pub use recurrence::{DAY, HOUR, MINUTE, MONTH, Recurrence, WEEK, YEAR};

use jiff::{SignedDuration, Timestamp, civil, tz::TimeZone};
use twox_hash::XxHash3_64;

use super::scan::PlannedRun;

/// A stored schedule: everything that determines its runs.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The seed that spreads runs of different agents: agent id and schedule number.
    pub seed: String,
    /// The zone of wall times.
    pub zone: TimeZone,
    /// The earliest wall time of a run, in `zone`.
    pub start: civil::DateTime,
    /// How it repeats.
    pub recurrence: Recurrence,
    /// No run after this wall time.
    pub end: Option<civil::DateTime>,
    /// Maximum number of occurrences; 0 means no limit.
    pub end_after: u32,
    /// Maximum shift of a run in seconds; deterministic.
    pub window: i64,
    /// Times of day without runs.
    pub exclusion: Option<Exclusion>,
}

impl Schedule {
    /// The occurrence with this number; `None` if the schedule is over, or if distribution or exclusion move
    /// it past the end.
    pub fn occurrence(&self, index: u64) -> Option<PlannedRun> {
        let at = self.moved(index, self.moment(index)?);
        self.goes_on(at).then_some(PlannedRun { index, at })
    }

    /// The first occurrence at or after `first` that runs at `moment` or later. The search is limited to
    /// occurrences within a day and a window, however long ago the schedule started.
    pub fn occurrence_from(&self, first: u64, moment: Timestamp) -> Option<PlannedRun> {
        // Runs move by at most the window and a day of exclusion with its share of the window; a clock change
        // adds hours. Earlier occurrences run before the moment.
        let reach = SignedDuration::from_secs(self.window.saturating_mul(2)) + SignedDuration::from_hours(2 * 24);
        let certain = moment.saturating_sub(reach).unwrap_or(Timestamp::MIN);
        // These instants are monotonic.
        let before = |index| self.moment(index).is_some_and(|instant| instant < certain);
        let mut index = partition_point(first, before);
        loop {
            // Near the end, one may be moved past it and the next one not.
            self.moment(index)?;
            if let Some(occurrence) = self.occurrence(index).filter(|occurrence| occurrence.at >= moment) {
                return Some(occurrence);
            }
            index += 1;
        }
    }

    /// When an occurrence is due by the recurrence, unless the schedule is over.
    fn moment(&self, index: u64) -> Option<Timestamp> {
        if self.end_after != 0 && index >= u64::from(self.end_after) {
            return None;
        }
        let instant = self.recurrence.moment(&self.zone, self.start, index)?;
        self.goes_on(instant).then_some(instant)
    }

    /// Whether an instant is not after the end.
    fn goes_on(&self, instant: Timestamp) -> bool {
        self.end.and_then(|end| local_time::instant(&self.zone, end)).is_none_or(|end| instant <= end)
    }

    /// The first run of a schedule created at `now`. A recurring schedule never starts with a missed run.
    pub fn first_run(&self, now: Timestamp) -> Option<PlannedRun> {
        if self.recurs() { self.occurrence_from(0, now) } else { self.occurrence(0) }
    }

    /// The last occurrence since `first` that is due at `now`, and its successor.
    pub fn due(&self, first: u64, now: Timestamp) -> Option<(PlannedRun, Option<PlannedRun>)> {
        let after = now.saturating_add(SignedDuration::from_nanos(1)).unwrap_or(Timestamp::MAX);
        let next = self.occurrence_from(first, after);
        let behind = match &next {
            Some(next) => next.index,
            None => partition_point(first, |index| self.moment(index).is_some()),
        };
        let last = (first..behind).rev().find_map(|index| self.occurrence(index))?;
        Some((last, next))
    }

    /// Whether it has several occurrences; only then may an offline agent be skipped.
    pub fn recurs(&self) -> bool {
        self.recurrence != Recurrence::Never
    }

    /// The time of a run after distribution and exclusion.
    fn moved(&self, index: u64, instant: Timestamp) -> Timestamp {
        // Pseudorandom, but always the same.
        let size = u64::try_from(self.window).unwrap_or(0) + 1;
        let offset = XxHash3_64::oneshot_with_seed(index, self.seed.as_bytes()) % size;
        let offset = i64::try_from(offset).unwrap_or(0);
        let spread = local_time::plus_seconds(instant, offset);
        match &self.exclusion {
            Some(exclusion) => exclusion.leave(&self.zone, spread, offset),
            None => spread,
        }
    }
}

/// The first number from `first` on for which `before` is false; `before` must be monotonic. Doubles a step,
/// then bisects.
fn partition_point(first: u64, before: impl Fn(u64) -> bool) -> u64 {
    if !before(first) {
        return first;
    }
    let (mut low, mut step) = (first, 1_u64);
    while before(low.saturating_add(step)) {
        low = low.saturating_add(step);
        step = step.saturating_mul(2);
    }
    // `before` is true for `low`, and false for `low + step`.
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
