//! What is kept for a time only.

use jiff::Timestamp;

/// Records that are removed when they are old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Runs of patch scans, from when they were recorded.
    ScanRuns,
    /// Batch actions with their logs, from when they ended.
    Jobs,
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
