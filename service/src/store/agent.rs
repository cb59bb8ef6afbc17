//! Agents, their notes and patches, and the scans that find these.

use generated_server::models::{AgentNote, MissingPatch};
use jiff::Timestamp;

use super::{
    Error, TenantStore,
    sqlite::{agent, scan},
};
use crate::domain::{
    agent::{Agent, AgentQuery},
    list::Listed,
    scan::{DamagedSchedule, DuePage, DuePosition, NewSchedule, ScanRecord, ScanRun, ScanSchedule},
};

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

    /// Puts a schedule in the place of the agent's present one; the same request as before changes nothing. False when what
    /// it was planned on no longer holds: the agent, its zone or account, or the schedule that it is to replace.
    pub async fn put_scan_schedule(&self, new: NewSchedule) -> Result<bool, Error> {
        self.write(move |change| scan::put(change, &new)).await
    }

    /// The schedule of an agent.
    pub async fn scan_schedule(&self, agent: &str) -> Result<Option<ScanSchedule>, Error> {
        let agent = agent.to_owned();
        self.read(move |view| scan::schedule(view, &agent)).await
    }

    /// Up to `limit` schedules whose next run has come, the longest due first, from a position on. Those that wait for
    /// their agent are among them when it is back; those with a problem are not.
    pub async fn due_scans(&self, now: Timestamp, from: Option<DuePosition>, limit: u32) -> Result<DuePage, Error> {
        self.read(move |view| scan::due(view, now, from.as_ref(), limit)).await
    }

    /// Notes why a schedule cannot be run; it is passed over from then on.
    pub async fn note_scan_problem(&self, damaged: DamagedSchedule) -> Result<(), Error> {
        self.write(move |change| scan::note_problem(change, &damaged)).await
    }

    /// Forgets why schedules could not be run, so that they are tried anew; answers how many there were.
    pub async fn forget_scan_problems(&self) -> Result<usize, Error> {
        self.write(scan::forget_problems).await
    }

    /// When the next run is due.
    pub async fn next_scan(&self) -> Result<Option<Timestamp>, Error> {
        self.read(scan::next).await
    }

    /// Scans or leaves out, records the run and plans the next one, all in one. False when the schedule no longer waits for
    /// the planned run: it is done already, or another schedule has taken its place.
    pub async fn record_scan(&self, record: ScanRecord) -> Result<bool, Error> {
        self.write(move |change| scan::record(change, &record)).await
    }

    /// The runs of an agent, newest first.
    pub async fn scan_runs(&self, agent: &str) -> Result<Vec<ScanRun>, Error> {
        let agent = agent.to_owned();
        self.read(move |view| scan::runs(view, &agent)).await
    }
}
