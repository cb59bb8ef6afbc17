//! Removes what is old: expired uploads, unused contents, keys, changes, runs and jobs.

use std::time::Duration;

use futures_util::future::try_join_all;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use crate::{
    api::Service,
    config::Config,
    domain::{
        caller::Actor,
        retention::{Cutoffs, Retained},
    },
    folder,
    store::TenantStore,
};

/// Interval of sweeps.
const INTERVAL: Duration = Duration::from_mins(10);
/// How long a claimed content is protected.
const GRACE: Duration = Duration::from_hours(1);
/// Maximum number of old records removed in one write.
const REMOVED: u32 = 500;
/// Number of blobs removed at once.
const TOGETHER: usize = 8;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// Sweeps regularly until `stop` resolves. A failure is logged, and the next sweep tries again.
pub async fn run(service: Service, stop: impl Future<Output = ()>) {
    let mut stop = std::pin::pin!(stop);
    loop {
        service.calls.forget_idle();
        service.failed_authentications.forget_idle();
        let begin = Instant::now();
        tokio::select! {
            biased;
            () = &mut stop => return,
            swept = sweep(&service, Timestamp::now()) => if let Err(error) = swept {
                tracing::error!(error = &*error, "old records could not be removed");
            },
        }
        service.metrics.swept(begin.elapsed());
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = &mut stop => return,
        }
    }
}

/// Removes what is old at `now`, and returns the number of removed blobs. Blobs stay, and the result is
/// `None`, if a backup protects them or another sweep is running: a later sweep removes them.
pub async fn sweep(service: &Service, now: Timestamp) -> Result<Option<usize>, Error> {
    let removing = folder::remove_contents(&service.config.data)?;
    let cutoffs = cutoffs(&service.config, now);
    let unused = now.checked_sub(GRACE).unwrap_or(Timestamp::MIN);
    let mut removed = 0;
    for tenant in service.store.tenants_with_old_records(cutoffs).await? {
        let records = service.store.tenant(tenant).acting_for(Actor::internal("sweep"));
        remove_records(&records, cutoffs).await?;
        if removing.is_some() {
            records.expire_temporary_uploads(cutoffs.uploads).await?;
        }
    }
    if removing.is_none() {
        return Ok(None);
    }
    for tenant in service.store.tenants().await? {
        let records = service.store.tenant(tenant.id).acting_for(Actor::internal("sweep"));
        records.forget_contents(unused).await?;
        removed += remove_blobs(service, &records).await?;
    }
    service.blobs.remove_staged(GRACE).await?;
    Ok(Some(removed))
}

fn cutoffs(config: &Config, now: Timestamp) -> Cutoffs {
    // 0 days, and times before the calendar, mean forever.
    let days_ago = |days: u32| match days {
        0 => Timestamp::MIN,
        days => now.checked_sub(SignedDuration::from_hours(24 * i64::from(days))).unwrap_or(Timestamp::MIN),
    };
    let ago = |time: Duration| now.checked_sub(time).unwrap_or(Timestamp::MIN);
    Cutoffs {
        uploads: now,
        idempotency_keys: ago(config.bounds.idempotency),
        changes: days_ago(config.retention.audit_days),
        scan_runs: days_ago(config.retention.run_days),
        jobs: days_ago(config.retention.run_days),
    }
}

async fn remove_records(records: &TenantStore, cutoffs: Cutoffs) -> Result<(), Error> {
    for (retained, before) in [
        (Retained::IdempotencyKeys, cutoffs.idempotency_keys),
        (Retained::Changes, cutoffs.changes),
        (Retained::ScanRuns, cutoffs.scan_runs),
        (Retained::Jobs, cutoffs.jobs),
    ] {
        while records.remove_older(retained, before, REMOVED).await? > 0 {}
    }
    Ok(())
}

/// Removes the blobs of forgotten contents; returns their number. If the process ends in between, the next
/// sweep continues.
async fn remove_blobs(service: &Service, records: &TenantStore) -> Result<usize, Error> {
    let mut removed = 0;
    loop {
        let names = records.unused_blobs().await?;
        if names.is_empty() {
            return Ok(removed);
        }
        removed += names.len();
        for names in names.chunks(TOGETHER) {
            try_join_all(names.iter().map(|name| service.blobs.remove(name))).await?;
        }
        records.forget_blobs(names).await?;
    }
}
