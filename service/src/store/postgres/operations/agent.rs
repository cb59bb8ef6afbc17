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
        postgres::{Database, agent, scan},
    },
};

impl Database {
    pub(in crate::store) async fn agent(&self, scope: &Scope, id: &str) -> Result<Option<Agent>, Error> {
        self.view(scope, |view| agent::one(view, id)).await
    }

    pub(in crate::store) async fn agent_notes(
        &self,
        scope: &Scope,
        query: AgentQuery,
    ) -> Result<Listed<AgentNote>, Error> {
        self.view(scope, |view| agent::notes(view, query.clone())).await
    }

    pub(in crate::store) async fn missing_patches(
        &self,
        scope: &Scope,
        agent: &str,
        hide_denied: bool,
        query: AgentQuery,
    ) -> Result<Option<Listed<MissingPatch>>, Error> {
        let missing = |view| agent::missing_patches(view, agent.to_owned(), hide_denied, query.clone());
        self.view(scope, missing).await
    }

    pub(in crate::store) async fn put_scan_schedule(&self, scope: &Scope, new: NewSchedule) -> Result<bool, Error> {
        self.change(scope, move |change| scan::put(change, new.clone())).await
    }

    pub(in crate::store) async fn scan_schedule(
        &self,
        scope: &Scope,
        agent: &str,
    ) -> Result<Option<ScanSchedule>, Error> {
        self.view(scope, |view| async move { scan::schedule(&view, agent).await }).await
    }

    pub(in crate::store) async fn scan_schedule_number(
        &self,
        scope: &Scope,
        agent: &str,
    ) -> Result<Option<i64>, Error> {
        self.view(scope, |view| async move { scan::number(&view, agent).await }).await
    }

    pub(in crate::store) async fn due_scans(
        &self,
        scope: &Scope,
        now: Timestamp,
        from: Option<DuePosition>,
        limit: u32,
    ) -> Result<DuePage, Error> {
        self.view(scope, |view| scan::due(view, now, from.clone(), limit)).await
    }

    pub(in crate::store) async fn note_scan_problem(
        &self,
        scope: &Scope,
        damaged: DamagedSchedule,
    ) -> Result<(), Error> {
        self.change(scope, move |change| scan::note_problem(change, damaged.clone())).await
    }

    pub(in crate::store) async fn forget_scan_problems(&self, scope: &Scope) -> Result<usize, Error> {
        self.change(scope, scan::forget_problems).await
    }

    pub(in crate::store) async fn record_scan(&self, scope: &Scope, record: ScanRecord) -> Result<bool, Error> {
        self.change(scope, move |change| scan::record(change, record.clone())).await
    }

    pub(in crate::store) async fn scan_runs(&self, scope: &Scope, agent: &str) -> Result<Vec<ScanRun>, Error> {
        self.view(scope, |view| scan::runs(view, agent.to_owned())).await
    }
}
