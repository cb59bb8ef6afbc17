//! Records with a retention period.

use jiff::Timestamp;

/// Records that are removed when old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retained {
    /// Idempotency keys, by time of use.
    IdempotencyKeys,
    /// Entries of the audit log, by time of recording.
    Changes,
    /// Runs of patch scans, by time of recording.
    ScanRuns,
    /// Batch actions with their logs, by end time.
    Jobs,
}

/// The times before which each kind is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutoffs {
    /// For temporary uploads, their expiry.
    pub uploads: Timestamp,
    /// For idempotency keys.
    pub idempotency_keys: Timestamp,
    /// For entries of the audit log.
    pub changes: Timestamp,
    /// For runs of patch scans, the time of recording.
    pub scan_runs: Timestamp,
    /// For batch actions, their end.
    pub jobs: Timestamp,
}
