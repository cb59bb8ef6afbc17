//! What runs without being asked: patch scans that are due, uploads that expire, contents that nobody needs.

use std::{future::Future, time::Duration};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use tokio::time::Instant;

use crate::{
    api::Service,
    domain::{
        scan::{DueScan, PlannedRun, ScanOutcome},
        scan_plan::ScanPlan,
    },
    store::{Error, TenantStore},
};

/// Due scans that are taken from the store at once.
const BATCH: u32 = 100;
/// The longest pause between two looks at what is due: an agent may have come back into contact.
const PAUSE: Duration = Duration::from_secs(30);
/// The pause between two sweeps of uploads, contents and idle callers.
const SWEEP: Duration = Duration::from_mins(10);
/// Contents that were claimed so recently are left alone.
const GRACE: SignedDuration = SignedDuration::from_hours(1);

/// Works until `stop` is ready. A failure is logged and tried again after the pause.
pub async fn run<F>(service: Service, stop: F)
where
    F: Future<Output = ()>,
{
    let mut stop = std::pin::pin!(stop);
    let mut sweep_at = Instant::now();
    loop {
        if let Err(error) = scan(&service, Timestamp::now()).await {
            tracing::error!(error = &error as &dyn std::error::Error, "due scans could not be run");
        }
        if Instant::now() >= sweep_at {
            if let Err(error) = sweep(&service, Timestamp::now()).await {
                tracing::error!(error = &*error, "expired uploads could not be removed");
            }
            service.rate.forget_idle();
            sweep_at = Instant::now() + SWEEP;
        }
        let pause = pause(&service).await;
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = service.schedules.notified() => {}
            () = &mut stop => return,
        }
    }
}

/// Runs every scan that is due at `now`; answers how many runs were recorded.
pub async fn scan(service: &Service, now: Timestamp) -> Result<usize, Error> {
    let mut recorded = 0;
    for tenant in service.store.tenants().await? {
        let records = service.store.tenant(tenant.id);
        loop {
            let due = records.due_scans(now, BATCH).await?;
            let before = recorded;
            for scan in &due {
                // One agent's trouble must not keep the others from their scans.
                match scan_one(&records, scan).await {
                    Ok(true) => recorded += 1,
                    Ok(false) => {}
                    Err(error) => {
                        let agent = scan.agent.id.as_str();
                        tracing::error!(agent, error = &error as &dyn std::error::Error, "a scan failed");
                    }
                }
            }
            if recorded == before {
                break;
            }
        }
    }
    Ok(recorded)
}

async fn scan_one(records: &TenantStore, due: &DueScan) -> Result<bool, Error> {
    let (DueScan { schedule, agent }, Some(run)) = (due, due.schedule.next) else { return Ok(false) };
    let plan: ScanPlan = serde_json::from_str(&schedule.request.body)
        .map_err(|error| Error::Damaged(format!("the schedule of agent {} cannot be read: {error}", agent.id)))?;
    let zone = TimeZone::get(&schedule.request.zone).unwrap_or(TimeZone::UTC);
    let timetable = plan.schedule(&agent.id, schedule.number, zone);
    let outcome = match (agent.is_online, plan.skip_if_offline && timetable.recurs()) {
        (true, _) => ScanOutcome::Scanned,
        (false, true) => ScanOutcome::Skipped,
        (false, false) => ScanOutcome::Waiting,
    };
    let next = timetable.occurrences(run.index + 1).next().map(PlannedRun::from);
    records.record_scan(&agent.id, schedule.number, run.index, outcome, next).await
}

/// How long nothing is due.
async fn pause(service: &Service) -> Duration {
    let mut pause = PAUSE;
    for tenant in service.store.tenants().await.unwrap_or_default() {
        if let Ok(Some(next)) = service.store.tenant(tenant.id).next_scan().await {
            let wait = Duration::try_from(next.duration_since(Timestamp::now())).unwrap_or_default();
            // A scan that is due and could not be run must not turn this into a busy loop.
            pause = pause.min(wait.max(Duration::from_secs(1)));
        }
    }
    pause
}

/// Removes temporary uploads that have expired, and contents without an attachment or upload.
pub async fn sweep(service: &Service, now: Timestamp) -> Result<usize, Box<dyn std::error::Error + Send + Sync>> {
    let mut removed = 0;
    let before = now.saturating_sub(GRACE)?;
    for tenant in service.store.tenants().await? {
        let records = service.store.tenant(tenant.id);
        records.expire_temporary_uploads(now).await?;
        for hash in records.unused_contents(before).await? {
            let _held = service.contents.write().await;
            if records.forget_content(hash, before).await? {
                service.blobs.remove(&hash.to_string()).await?;
                removed += 1;
            }
        }
    }
    service.blobs.remove_staged(Duration::from_hours(1)).await?;
    Ok(removed)
}
