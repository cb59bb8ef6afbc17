//! Which tenants have something to be done that nobody asked for.

use jiff::Timestamp;

use super::{Backend, Error, Store};
use crate::domain::{retention::Cutoffs, tenant::TenantId};

impl Store {
    /// The tenants with a scan that is due, the longest due first.
    pub async fn tenants_with_due_scans(&self, now: Timestamp) -> Result<Vec<TenantId>, Error> {
        match &self.backend {
            Backend::Sqlite(database) => database.tenants_with_due_scans(now).await,
            Backend::Postgres(database) => database.tenants_with_due_scans(now).await,
        }
    }

    /// The tenants with schedules that could not be run.
    pub async fn tenants_with_scan_problems(&self) -> Result<Vec<TenantId>, Error> {
        match &self.backend {
            Backend::Sqlite(database) => database.tenants_with_scan_problems().await,
            Backend::Postgres(database) => database.tenants_with_scan_problems().await,
        }
    }

    /// When the next scan of any tenant is due.
    pub async fn next_scan(&self) -> Result<Option<Timestamp>, Error> {
        match &self.backend {
            Backend::Sqlite(database) => database.next_scan().await,
            Backend::Postgres(database) => database.next_scan().await,
        }
    }

    /// The tenants with records that are to be removed.
    pub async fn tenants_with_old_records(&self, cutoffs: Cutoffs) -> Result<Vec<TenantId>, Error> {
        match &self.backend {
            Backend::Sqlite(database) => database.tenants_with_old_records(cutoffs).await,
            Backend::Postgres(database) => database.tenants_with_old_records(cutoffs).await,
        }
    }
}
