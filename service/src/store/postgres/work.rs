//! Which tenants have something to be done; functions of the migrator's role answer it, which sees the rows of all tenants.

use jiff::Timestamp;

use super::{
    session::{Query, parameters},
    view::View,
};
use crate::{
    domain::{retention::Cutoffs, tenant::TenantId},
    store::{Error, sql::scan::moment},
};

pub(super) async fn tenants_with_due_scans(view: View, now: Timestamp) -> Result<Vec<TenantId>, Error> {
    tenants(&view, Query::new("SELECT tenants_with_due_scans($1)", parameters![now.as_microsecond()])).await
}

pub(super) async fn tenants_with_scan_problems(view: View) -> Result<Vec<TenantId>, Error> {
    tenants(&view, Query::new("SELECT tenants_with_scan_problems()", [])).await
}

pub(super) async fn next_scan(view: View) -> Result<Option<Timestamp>, Error> {
    let rows = view.session.rows(Query::new("SELECT next_scan()", [])).await?;
    let next: Option<i64> = rows.first().map(|row| row.try_get(0)).transpose()?.flatten();
    next.map(moment).transpose()
}

pub(super) async fn tenants_with_old_records(view: View, cutoffs: Cutoffs) -> Result<Vec<TenantId>, Error> {
    let values = parameters![
        cutoffs.uploads.as_microsecond(),
        cutoffs.contents.as_microsecond(),
        cutoffs.idempotency_keys.as_microsecond(),
        cutoffs.changes.as_microsecond(),
        cutoffs.scan_runs.as_microsecond(),
        cutoffs.jobs.as_microsecond(),
    ];
    tenants(&view, Query::new("SELECT tenants_with_old_records($1, $2, $3, $4, $5, $6)", values)).await
}

async fn tenants(view: &View, query: Query) -> Result<Vec<TenantId>, Error> {
    view.session.rows(query).await?.iter().map(|row| Ok(TenantId(row.try_get(0)?))).collect()
}
