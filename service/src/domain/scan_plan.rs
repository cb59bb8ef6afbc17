//! A patch-scan schedule as it is kept: what was asked for, free of the wire's spelling.

use jiff::{civil, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{
    agent::Agent,
    scan::PlannedRun,
    schedule::{Exclusion, Occurrence, Recurrence, Schedule},
    time_zone::{self, NamedZone},
};

/// Everything a schedule request says; equal requests give equal plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanPlan {
    /// Times are meant in the service's zone, not in the agent's.
    pub server_time_zone: bool,
    /// A machine that is off waits for the next occurrence.
    pub skip_if_offline: bool,
    /// The connector of the agent should try to switch the machine on.
    pub power_up_if_offline: bool,
    /// The patches to look for; all when empty.
    pub patch_ids: Vec<i64>,
    /// How it repeats.
    pub recurrence: Recurrence,
    /// The first moment.
    pub start: civil::DateTime,
    /// The last moment.
    pub end: Option<civil::DateTime>,
    /// How many occurrences there are; 0 for no limit.
    pub end_after: u32,
    /// Seconds over which the machines are spread.
    pub window: i64,
    /// When no scan starts.
    pub exclusion: Option<Exclusion>,
    /// `Attributes`, as JSON.
    pub attributes: Option<String>,
}

impl ScanPlan {
    /// The zone that its times are meant in: the agent's, or the service's when it says so or the agent has none.
    pub fn zone(&self, agent: &Agent, service: &NamedZone) -> Result<NamedZone, time_zone::Error> {
        match agent.time_zone.as_deref().filter(|_| !self.server_time_zone) {
            Some(name) => NamedZone::get(name),
            None => Ok(service.clone()),
        }
    }

    /// When the scans of an agent run. The number of the schedule takes part in spreading them, so that a new schedule
    /// is spread anew.
    pub fn schedule(&self, agent: &str, number: i64, zone: TimeZone) -> Schedule {
        Schedule {
            seed: format!("{agent}/{number}"),
            zone,
            start: self.start,
            recurrence: self.recurrence.clone(),
            end: self.end,
            end_after: self.end_after,
            window: self.window,
            exclusion: self.exclusion,
        }
    }
}

impl From<Occurrence> for PlannedRun {
    fn from(occurrence: Occurrence) -> Self {
        Self { index: occurrence.index, at: occurrence.instant }
    }
}
