//! Patch scans as they are kept: schedules, planned runs, and what became of them.

use jiff::Timestamp;

use super::agent::Agent;

/// What a caller asks to be scheduled. The store looks into none of it but `patch_ids`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanRequest {
    /// The agent to scan.
    pub agent_id: String,
    /// The request as JSON, written in one way for equal requests.
    pub body: String,
    /// The IANA name of the zone in which its times are meant.
    pub zone: String,
    /// The patches to scan for; all when empty.
    pub patch_ids: Vec<i64>,
}

/// A schedule as it is kept; an agent has at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanSchedule {
    /// Its number, never used again.
    pub number: i64,
    /// What was asked for.
    pub request: ScanRequest,
    /// When it was put.
    pub created_on: Timestamp,
    /// The run to come; none when it is over.
    pub next: Option<PlannedRun>,
}

/// A run to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedRun {
    /// The number of the occurrence, from 0.
    pub index: u64,
    /// When it is due.
    pub at: Timestamp,
}

/// A schedule that is to take the place of an agent's present one, and what it was planned on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSchedule {
    /// What was asked for.
    pub request: ScanRequest,
    /// The agent as it was read; its zone and its account must still be these.
    pub agent: Agent,
    /// One more than the number of the schedule that was there, from 1.
    pub number: i64,
    /// The first run; none when all of them are over.
    pub next: Option<PlannedRun>,
}

/// Where a look at what is due goes on: behind this moment and agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuePosition {
    /// When the run is due.
    pub at: Timestamp,
    /// The agent.
    pub agent_id: String,
}

/// Some of the schedules that are due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuePage {
    /// Those that can be read, the longest due first.
    pub scans: Vec<DueScan>,
    /// Those that cannot.
    pub damaged: Vec<DamagedSchedule>,
    /// Where the next page begins; none when there is no more.
    pub next: Option<DuePosition>,
}

/// A schedule that cannot be run as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedSchedule {
    /// The agent.
    pub agent_id: String,
    /// The number of the schedule.
    pub number: i64,
    /// What is wrong with it.
    pub problem: String,
}

/// What became of a due run, to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanRecord {
    /// The agent.
    pub agent_id: String,
    /// The number of the schedule.
    pub schedule: i64,
    /// The run that the schedule waited for: it must still do so.
    pub planned: u64,
    /// The run that is done, which stands for all since the planned one.
    pub run: PlannedRun,
    /// What became of it.
    pub outcome: ScanOutcome,
    /// The run to come.
    pub next: Option<PlannedRun>,
}

/// A run whose time has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueScan {
    /// The schedule; its `next` is the run.
    pub schedule: ScanSchedule,
    /// The agent, as it is now.
    pub agent: Agent,
}

/// What becomes of a due run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanOutcome {
    /// The agent is scanned now: its missing patches are found anew.
    Scanned,
    /// The agent is out of contact, and the run is left out.
    Skipped,
    /// The agent is out of contact, and the run waits until it is back.
    Waiting,
}

/// A run that has happened, or was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanRun {
    /// The number of the schedule.
    pub schedule: i64,
    /// The number of the occurrence.
    pub index: u64,
    /// So many occurrences right before it were missed, and this run stands for them, too.
    pub missed: u64,
    /// When it was due.
    pub due: Timestamp,
    /// When it was recorded.
    pub recorded_on: Timestamp,
    /// Whether the agent was scanned, or the run left out.
    pub scanned: bool,
    /// How many patches were found missing.
    pub missing: u32,
}
