//! What is kept for a time only.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Records that are removed when they are old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Runs of patch scans, from when they were recorded.
    ScanRuns,
    /// Batch actions with their logs, from when they ended.
    Jobs,
}

/// For how many days records are kept; 0 for ever.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// Runs of patch scans.
    pub scan_run_days: u32,
    /// Batch actions with their logs.
    pub job_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self { scan_run_days: 90, job_days: 365 }
    }
}

/// Up to when the records of each kind are removed; none of those that are kept for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutoffs {
    /// Temporary uploads that expire until then.
    pub uploads: Timestamp,
    /// Contents that nothing refers to, claimed before.
    pub contents: Timestamp,
    /// Idempotency keys of before.
    pub idempotency_keys: Timestamp,
    /// Entries of the audit log of before.
    pub changes: Timestamp,
    /// Runs of patch scans recorded before.
    pub scan_runs: Timestamp,
    /// Batch actions ended before.
    pub jobs: Timestamp,
}
