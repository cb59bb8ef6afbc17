//! Runs due patch scans.

use std::{future::Future, time::Duration};

use futures_util::{StreamExt as _, stream};
use jiff::Timestamp;

use crate::{
    api::Service,
    domain::{
        caller::Actor,
        scan::{AgentSchedule, DamagedSchedule, ScanOutcome, ScanRecord},
        scan_plan::ScanPlan,
        time_zone::NamedZone,
    },
    store::{Error, TenantStore},
};

/// Number of due scans read from the store at once.
const BATCH: u32 = 100;
/// Maximum number of due scans in one pass; the rest follow in the next.
const PASS: usize = 5000;
/// Number of scans written together: enough to share a commit, few enough not to delay other writes.
const TOGETHER: usize = 8;
/// Maximum number of scans in a pass that the store may fail to record.
const TROUBLES: usize = 10;
/// Maximum pause between passes: an agent may be back online.
const PAUSE: Duration = Duration::from_secs(30);

/// The result of a pass over due scans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// Runs that were recorded, or are waiting for their agent.
    pub done: usize,
    /// Schedules that could not be run this time.
    pub failed: usize,
    /// Whether the pass reached its limit with more to do.
    pub is_partial: bool,
}

/// Runs until `stop` resolves, which ends a pass between two scans. A failure is logged and retried after the
/// pause.
pub async fn run<F>(service: Service, stop: F)
where
    F: Future<Output = ()>,
{
    let mut stop = std::pin::pin!(stop);
    if let Err(error) = forget_problems(&service).await {
        tracing::error!(error = &error as &dyn std::error::Error, "schedules with a problem could not be looked up");
    }
    loop {
        let pass = tokio::select! {
            biased;
            // Operations already sent to the store complete or are rolled back.
            () = &mut stop => return,
            pass = scan(&service, Timestamp::now()) => pass.unwrap_or_else(|error| {
                tracing::error!(error = &error as &dyn std::error::Error, "due scans could not be run");
                Pass::default()
            }),
        };
        service.metrics.scanned(pass.done, pass.failed);
        let pause = if pass.is_partial { Duration::ZERO } else { pause(&service).await };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = service.schedules.notified() => {}
            () = &mut stop => return,
        }
    }
}

/// Runs the scans due at `now`, up to a limit. One run covers all missed runs of a schedule.
pub async fn scan(service: &Service, now: Timestamp) -> Result<Pass, Error> {
    let mut pass = Pass::default();
    let mut troubles = 0;
    for tenant in service.store.tenants_with_due_scans(now).await? {
        let records = service.store.tenant(tenant).acting_for(Actor::internal("scan"));
        let mut position = None;
        loop {
            if pass.done + pass.failed >= PASS {
                pass.is_partial = true;
                return Ok(pass);
            }
            let due = records.due_scans(now, position.clone(), BATCH).await?;
            for damaged in due.damaged {
                note(&records, damaged).await?;
                pass.failed += 1;
            }
            let mut scans =
                stream::iter(due.scans).map(|scan| scan_one(records.clone(), scan, now)).buffer_unordered(TOGETHER);
            while let Some(done) = scans.next().await {
                match done? {
                    Scan::Recorded => pass.done += 1,
                    Scan::Elsewhere => {}
                    Scan::Damaged => pass.failed += 1,
                    Scan::Failed(error) => {
                        pass.failed += 1;
                        troubles += 1;
                        if troubles > TROUBLES {
                            return Err(error);
                        }
                    }
                }
            }
            // A page that ends where it started was handled above.
            if due.next.is_none() || due.next == position {
                break;
            }
            position = due.next;
        }
    }
    Ok(pass)
}

/// The result of a due run.
enum Scan {
    /// It was recorded, or is waiting for its agent.
    Recorded,
    /// Another process has recorded it, or the schedule has changed.
    Elsewhere,
    /// Its schedule cannot be run, which was logged.
    Damaged,
    /// The store could not record it.
    Failed(Error),
}

/// One agent's problem must not delay the others: it is an error only if the store is not writable at all.
/// The caller counts other failures, so that thousands do not fail in sequence.
async fn scan_one(records: TenantStore, due: AgentSchedule, now: Timestamp) -> Result<Scan, Error> {
    let agent = due.agent.id.as_str();
    let record = match plan(&due, now) {
        Ok(record) => record,
        Err(problem) => {
            let damaged = DamagedSchedule { agent_id: agent.to_owned(), number: due.schedule.number, problem };
            note(&records, damaged).await?;
            return Ok(Scan::Damaged);
        }
    };
    let missed = record.run.index.saturating_sub(record.planned);
    let waits = record.outcome == ScanOutcome::Waiting;
    match records.record_scan(record).await {
        Ok(false) => Ok(Scan::Elsewhere),
        Ok(true) => {
            if missed > 0 && !waits {
                tracing::info!(agent, missed, "one run makes up for runs that were missed");
            }
            Ok(Scan::Recorded)
        }
        Err(error @ Error::Unwritable(_)) => Err(error),
        Err(error) => {
            tracing::error!(agent, error = &error as &dyn std::error::Error, "a scan failed");
            Ok(Scan::Failed(error))
        }
    }
}

/// The record of a due run, or the problem of its schedule.
fn plan(due: &AgentSchedule, now: Timestamp) -> Result<ScanRecord, String> {
    let AgentSchedule { schedule, agent } = due;
    let planned = schedule.next.ok_or("no run is planned")?;
    let plan: ScanPlan =
        serde_json::from_str(&schedule.request.body).map_err(|error| format!("it cannot be read: {error}"))?;
    let zone = NamedZone::get(&schedule.request.zone).map_err(|error| error.to_string())?.zone;
    let timetable = plan.schedule(&agent.id, schedule.number, zone);
    let outcome = match (agent.is_online, plan.skip_if_offline && timetable.recurs()) {
        (true, _) => ScanOutcome::Scanned,
        (false, true) => ScanOutcome::Skipped,
        (false, false) => ScanOutcome::Waiting,
    };
    // Time zone rules may have changed since the run was planned; it is done as planned.
    let (run, next) = match timetable.due(planned.index, now) {
        Some((last, next)) => (last, next),
        None => (planned, timetable.occurrence_from(planned.index.saturating_add(1), now)),
    };
    let run = if run.index == planned.index { planned } else { run };
    Ok(ScanRecord { agent_id: agent.id.clone(), schedule: schedule.number, planned: planned.index, run, outcome, next })
}

async fn note(records: &TenantStore, damaged: DamagedSchedule) -> Result<(), Error> {
    let (agent, problem) = (damaged.agent_id.as_str(), damaged.problem.as_str());
    tracing::error!(agent, problem, "the schedule of an agent cannot be run; it is skipped until it is replaced");
    records.note_scan_problem(damaged).await
}

/// Forgets damaged schedules: a newer program or time zone database may be able to run them.
async fn forget_problems(service: &Service) -> Result<(), Error> {
    for tenant in service.store.tenants_with_scan_problems().await? {
        service.store.tenant(tenant).forget_scan_problems().await?;
    }
    Ok(())
}

/// How long until the next due run.
async fn pause(service: &Service) -> Duration {
    let Ok(Some(next)) = service.store.next_scan().await else { return PAUSE };
    let wait = Duration::try_from(next.duration_since(Timestamp::now())).unwrap_or_default();
    // A due scan that fails must not cause a busy loop.
    wait.clamp(Duration::from_secs(1), PAUSE)
}
