//! Agents, their notes and patches, and the scans that find these.

use generated_server::models::{AgentNote, MissingPatch};
use jiff::Timestamp;

use super::{Error, TenantStore, delegate};
use crate::domain::{
    agent::{Agent, AgentQuery},
    list::Listed,
    scan::{DamagedSchedule, DuePage, DuePosition, NewSchedule, ScanRecord, ScanRun, ScanSchedule},
};

impl TenantStore {
    /// One agent.
    pub async fn agent(&self, id: &str) -> Result<Option<Agent>, Error> {
        delegate!(self.agent(id))
    }

    /// The notes of all agents; see `agent::NOTE_FIELDS`.
    pub async fn agent_notes(&self, query: AgentQuery) -> Result<Listed<AgentNote>, Error> {
        delegate!(self.agent_notes(query))
    }

    /// The missing patches of an agent, see `agent::PATCH_FIELDS`; `None` when there is no such agent.
    pub async fn missing_patches(
        &self,
        agent: &str,
        hide_denied: bool,
        query: AgentQuery,
    ) -> Result<Option<Listed<MissingPatch>>, Error> {
        delegate!(self.missing_patches(agent, hide_denied, query))
    }

    /// Puts a schedule in the place of the agent's present one; the same request as before changes nothing, unless that has a
    /// problem. False when what it was planned on no longer holds: the agent, its zone or account, or the schedule that it is to
    /// replace.
    pub async fn put_scan_schedule(&self, new: NewSchedule) -> Result<bool, Error> {
        delegate!(self.put_scan_schedule(new))
    }

    /// The schedule of an agent.
    pub async fn scan_schedule(&self, agent: &str) -> Result<Option<ScanSchedule>, Error> {
        delegate!(self.scan_schedule(agent))
    }

    /// The number of the schedule of an agent, which even one that is damaged has.
    pub async fn scan_schedule_number(&self, agent: &str) -> Result<Option<i64>, Error> {
        delegate!(self.scan_schedule_number(agent))
    }

    /// Up to `limit` schedules whose next run has come, the longest due first, from a position on. Those that wait for
    /// their agent are among them when it is back; those with a problem are not.
    pub async fn due_scans(&self, now: Timestamp, from: Option<DuePosition>, limit: u32) -> Result<DuePage, Error> {
        delegate!(self.due_scans(now, from, limit))
    }

    /// Notes why a schedule cannot be run; it is passed over from then on.
    pub async fn note_scan_problem(&self, damaged: DamagedSchedule) -> Result<(), Error> {
        delegate!(self.note_scan_problem(damaged))
    }

    /// Forgets why schedules could not be run, so that they are tried anew; answers how many there were.
    pub async fn forget_scan_problems(&self) -> Result<usize, Error> {
        delegate!(self.forget_scan_problems())
    }

    /// Scans or leaves out, records the run and plans the next one, all in one. False when the schedule no longer waits for
    /// the planned run: it is done already, or another schedule has taken its place.
    pub async fn record_scan(&self, record: ScanRecord) -> Result<bool, Error> {
        delegate!(self.record_scan(record))
    }

    /// The runs of an agent, newest first.
    pub async fn scan_runs(&self, agent: &str) -> Result<Vec<ScanRun>, Error> {
        delegate!(self.scan_runs(agent))
    }
}
