//! Patch scans: schedules, planned runs, and results.

use jiff::Timestamp;

use super::agent::Agent;

/// A schedule request. The store reads only `patch_ids` of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanRequest {
    /// The agent to scan.
    pub agent_id: String,
    /// The request as canonical JSON, the same for equal requests.
    pub body: String,
    /// The IANA name of its time zone.
    pub zone: String,
    /// The patches to scan for; all when empty.
    pub patch_ids: Vec<i64>,
}

/// A stored schedule; an agent has at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanSchedule {
    /// Its number, never used again.
    pub number: i64,
    /// The request.
    pub request: ScanRequest,
    /// The next run; `None` if the schedule is over.
    pub next: Option<PlannedRun>,
}

/// A planned run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedRun {
    /// The number of the occurrence, from 0.
    pub index: u64,
    /// When it is due.
    pub at: Timestamp,
}

/// The position to continue a scan of due runs: when a run is due, and its agent.
pub type DuePosition = (Timestamp, String);

/// A page of due schedules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuePage {
    /// The readable ones, longest due first.
    pub scans: Vec<AgentSchedule>,
    /// The unreadable ones.
    pub damaged: Vec<DamagedSchedule>,
    /// The next position; `None` at the end.
    pub next: Option<DuePosition>,
}

/// A schedule that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedSchedule {
    /// The agent.
    pub agent_id: String,
    /// The number of the schedule.
    pub number: i64,
    /// What is wrong with it.
    pub problem: String,
}

/// The result of a due run, to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanRecord {
    /// The agent.
    pub agent_id: String,
    /// The number of the schedule.
    pub schedule: i64,
    /// The run that the schedule was waiting for; it must be unchanged.
    pub planned: u64,
    /// The completed run, which covers all since the planned one.
    pub run: PlannedRun,
    /// Its result.
    pub outcome: ScanOutcome,
    /// The next run.
    pub next: Option<PlannedRun>,
}

/// A schedule and its agent, as both were read or planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSchedule {
    /// The schedule. One to put has the next number of its agent, starting at 1; the next run of a due one is due.
    pub schedule: ScanSchedule,
    /// The agent. A schedule is put only if its zone and account are unchanged.
    pub agent: Agent,
}

/// The result of a due run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanOutcome {
    /// The agent was scanned: its missing patches were determined.
    Scanned,
    /// The agent is offline, and the run is skipped.
    Skipped,
    /// The agent is offline, and the run waits.
    Waiting,
}
