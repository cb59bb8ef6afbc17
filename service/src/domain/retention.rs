//! What is kept for a time only.

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
#[serde(deny_unknown_fields)]
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

impl Retention {
    /// What is removed, with the days that it is kept for.
    pub fn limits(&self) -> impl Iterator<Item = (Kept, u32)> + use<> {
        let days = [(Kept::ScanRuns, self.scan_run_days), (Kept::Jobs, self.job_days)];
        days.into_iter().filter(|(_, days)| *days > 0)
    }
}
