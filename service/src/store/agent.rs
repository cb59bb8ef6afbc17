//! Agents, their notes and patches, and the scans that find these.

use std::sync::Arc;

use generated_server::models::{AgentNote, MissingPatch};
use jiff::Timestamp;

use super::{
    Error, TenantStore,
    sqlite::{agent, scan},
};
use crate::domain::{
    agent::{Agent, AgentQuery},
    list::Listed,
    scan::{DueScan, PlannedRun, ScanOutcome, ScanRequest, ScanRun, ScanSchedule},
};

/// Finds the first run of a schedule, given the agent and the number of the schedule. It may be run more than once.
pub type FirstRun = Arc<dyn Fn(&Agent, i64) -> Option<PlannedRun> + Send + Sync>;

impl TenantStore {
    /// One agent.
    pub async fn agent(&self, id: &str) -> Result<Option<Agent>, Error> {
        let id = id.to_owned();
        self.read(move |view| agent::one(view, &id)).await
    }

    /// The notes of all agents; see `agent::NOTE_FIELDS`.
    pub async fn agent_notes(&self, query: AgentQuery) -> Result<Listed<AgentNote>, Error> {
        self.read(move |view| agent::notes(view, &query)).await
    }

    /// The missing patches of an agent, see `agent::PATCH_FIELDS`; `None` when there is no such agent.
    pub async fn missing_patches(
        &self,
        agent: &str,
        hide_denied: bool,
        query: AgentQuery,
    ) -> Result<Option<Listed<MissingPatch>>, Error> {
        let agent = agent.to_owned();
        self.read(move |view| agent::missing_patches(view, &agent, hide_denied, &query)).await
    }

    /// Schedules scans of an agent in place of what was scheduled before; the same request changes nothing. `None` when
    /// there is no such agent.
    pub async fn put_scan_schedule(&self, request: ScanRequest, plan: FirstRun) -> Result<Option<ScanSchedule>, Error> {
        self.write(move |change| scan::put(change, &request, &*plan)).await
    }

    /// The schedule of an agent.
    pub async fn scan_schedule(&self, agent: &str) -> Result<Option<ScanSchedule>, Error> {
        let agent = agent.to_owned();
        self.read(move |view| scan::schedule(view, &agent)).await
    }

    /// The schedules whose next run has come, the longest due first.
    pub async fn due_scans(&self, now: Timestamp, limit: u32) -> Result<Vec<DueScan>, Error> {
        self.read(move |view| scan::due(view, now, limit)).await
    }

    /// When the next run is due.
    pub async fn next_scan(&self) -> Result<Option<Timestamp>, Error> {
        self.read(scan::next).await
    }

    /// Scans or leaves out, records the run and plans the next one, all in one. False when that run is not the one to
    /// come: it is done already, or another schedule has taken the place of this one.
    pub async fn record_scan(
        &self,
        agent: &str,
        number: i64,
        index: u32,
        outcome: ScanOutcome,
        next: Option<PlannedRun>,
    ) -> Result<bool, Error> {
        let agent = agent.to_owned();
        self.write(move |change| scan::record(change, &agent, (number, index), outcome, next)).await
    }

    /// The runs of an agent, newest first.
    pub async fn scan_runs(&self, agent: &str) -> Result<Vec<ScanRun>, Error> {
        let agent = agent.to_owned();
        self.read(move |view| scan::runs(view, &agent)).await
    }
}
