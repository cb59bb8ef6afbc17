//! The names that ids of reference data stand for, kept in memory as long as no import changes them.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use tokio_postgres::Row;

use super::session::{Query, Session, parameters};
use crate::{
    domain::tenant::TenantId,
    store::{
        Error,
        sql::names::{Names, TENANTS},
    },
};

/// The names of tenants that have been asked for, shared by all readers; with too many of them it begins anew.
#[derive(Debug, Default)]
pub(super) struct Cache(RwLock<HashMap<TenantId, Arc<Names>>>);

impl Cache {
    /// The names as they were when they were read last; whether they still are, [`version`] says.
    pub(super) fn recent(&self, tenant: TenantId) -> Option<Arc<Names>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&tenant).map(Arc::clone)
    }

    /// The names as they are in the state that a session reads.
    pub(super) async fn read(&self, session: &Session, tenant: TenantId) -> Result<Arc<Names>, Error> {
        let statements = Names::statements("$1").map(|(table, sql)| format!("SELECT {table}, n.* FROM ({sql}) AS n"));
        let all = statements.collect::<Vec<_>>().join(" UNION ALL ");
        let name = Query::new("SELECT name FROM tenants WHERE id = $1", parameters![tenant.0]);
        let [versions, tenants, rows] =
            session.run([version(tenant), name, Query::new(all, parameters![tenant.0])]).await?;
        let name = tenants.first().map(|row| row.try_get(0)).transpose()?.unwrap_or_default();
        let mut names = Names::new(version_in(&versions)?, name);
        for row in rows {
            let (table, id, name): (i32, i32, &str) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            names.add(usize::try_from(table).unwrap_or(usize::MAX), id, name.into());
        }
        let names = Arc::new(names);
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= TENANTS {
            all.clear();
        }
        all.insert(tenant, Arc::clone(&names));
        Ok(names)
    }
}

/// What asks for the version of a tenant's names.
pub(super) fn version(tenant: TenantId) -> Query {
    let sql = "SELECT value FROM counters WHERE tenant_id = $1 AND name = 'names' AND slot = 0";
    Query::new(sql, parameters![tenant.0])
}

/// The version in the answer.
pub(super) fn version_in(rows: &[Row]) -> Result<i64, Error> {
    Ok(rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0))
}

/// What is to be run by whatever has written to one of the tables, in the same transaction.
///
/// Versions are random, and not counted, so that a state that was rolled back shares its version with no later one.
pub(super) fn changed(tenant: TenantId) -> Query {
    let sql = "INSERT INTO counters (tenant_id, name, slot, value) VALUES ($1, 'names', 0, $2)
               ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = excluded.value";
    Query::new(sql, parameters![tenant.0, fastrand::i64(..)])
}
