//! Agents, their notes and patches, and the scans that find these.

use generated_server::models::{AgentNote, MissingPatch};
use jiff::Timestamp;

use crate::{
    domain::{
        agent::{Agent, AgentQuery},
        list::Listed,
        scan::{DamagedSchedule, DuePage, DuePosition, NewSchedule, ScanRecord, ScanRun, ScanSchedule},
    },
    store::{
        Error, Scope,
        sqlite::{Database, agent, scan},
    },
};

impl Database {
    pub(in crate::store) async fn agent(&self, scope: &Scope, id: &str) -> Result<Option<Agent>, Error> {
        let id = id.to_owned();
        self.view(scope, move |view| agent::one(view, &id)).await
    }

    pub(in crate::store) async fn agent_notes(
        &self,
        scope: &Scope,
        query: AgentQuery,
    ) -> Result<Listed<AgentNote>, Error> {
        self.view(scope, move |view| agent::notes(view, &query)).await
    }

    pub(in crate::store) async fn missing_patches(
        &self,
        scope: &Scope,
        agent: &str,
        hide_denied: bool,
        query: AgentQuery,
    ) -> Result<Option<Listed<MissingPatch>>, Error> {
        let agent = agent.to_owned();
        self.view(scope, move |view| agent::missing_patches(view, &agent, hide_denied, &query)).await
    }

    pub(in crate::store) async fn put_scan_schedule(&self, scope: &Scope, new: NewSchedule) -> Result<bool, Error> {
        self.change(scope, move |change| scan::put(change, &new)).await
    }

    pub(in crate::store) async fn scan_schedule(
        &self,
        scope: &Scope,
        agent: &str,
    ) -> Result<Option<ScanSchedule>, Error> {
        let agent = agent.to_owned();
        self.view(scope, move |view| scan::schedule(view, &agent)).await
    }

    pub(in crate::store) async fn scan_schedule_number(
        &self,
        scope: &Scope,
        agent: &str,
    ) -> Result<Option<i64>, Error> {
        let agent = agent.to_owned();
        self.view(scope, move |view| scan::number(view, &agent)).await
    }

    pub(in crate::store) async fn due_scans(
        &self,
        scope: &Scope,
        now: Timestamp,
        from: Option<DuePosition>,
        limit: u32,
    ) -> Result<DuePage, Error> {
        self.view(scope, move |view| scan::due(view, now, from.as_ref(), limit)).await
    }

    pub(in crate::store) async fn note_scan_problem(
        &self,
        scope: &Scope,
        damaged: DamagedSchedule,
    ) -> Result<(), Error> {
        self.change(scope, move |change| scan::note_problem(change, &damaged)).await
    }

    pub(in crate::store) async fn forget_scan_problems(&self, scope: &Scope) -> Result<usize, Error> {
        self.change(scope, scan::forget_problems).await
    }

    pub(in crate::store) async fn record_scan(&self, scope: &Scope, record: ScanRecord) -> Result<bool, Error> {
        self.change(scope, move |change| scan::record(change, &record)).await
    }

    pub(in crate::store) async fn scan_runs(&self, scope: &Scope, agent: &str) -> Result<Vec<ScanRun>, Error> {
        let agent = agent.to_owned();
        self.view(scope, move |view| scan::runs(view, &agent)).await
    }
}
