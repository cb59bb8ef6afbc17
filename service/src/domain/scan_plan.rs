//! A patch-scan schedule as stored, independent of the wire format.

use jiff::{civil, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{
    agent::Agent,
    schedule::{Exclusion, Recurrence, Schedule},
    time_zone::{self, NamedZone},
};

/// The content of a schedule request; equal requests give equal plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanPlan {
    /// Whether times use the service's zone instead of the agent's.
    pub server_time_zone: bool,
    /// Whether an offline machine waits for the next occurrence.
    pub skip_if_offline: bool,
    /// Whether the agent's connector should try to switch the machine on.
    pub power_up_if_offline: bool,
    /// The patches to look for; all when empty.
    pub patch_ids: Vec<i64>,
    /// How it repeats.
    pub recurrence: Recurrence,
    /// The first moment.
    pub start: civil::DateTime,
    /// The last moment.
    pub end: Option<civil::DateTime>,
    /// Maximum number of occurrences; 0 means no limit.
    pub end_after: u32,
    /// Seconds over which machines are spread.
    pub window: i64,
    /// Times of day without scans.
    pub exclusion: Option<Exclusion>,
    /// `Attributes`, as JSON.
    pub attributes: Option<String>,
}

impl ScanPlan {
    /// The time zone: the agent's, or the service's if requested or if the agent has none.
    pub fn zone(&self, agent: &Agent, service: &NamedZone) -> Result<NamedZone, time_zone::Error> {
        match agent.time_zone.as_deref().filter(|_| !self.server_time_zone) {
            Some(name) => NamedZone::get(name),
            None => Ok(service.clone()),
        }
    }

    /// The schedule of an agent. Its number takes part in spreading, so that a new schedule is spread
    /// differently.
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
