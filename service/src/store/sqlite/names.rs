//! The names that ids of reference data stand for, kept in memory as long as no import changes them.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use rusqlite::{Connection, OptionalExtension};

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
    /// The names as they are in the state that `connection` reads.
    pub(super) fn get(&self, connection: &Connection, tenant: TenantId) -> Result<Arc<Names>, Error> {
        let version = version(connection, tenant)?;
        let cached = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&tenant).map(Arc::clone);
        if let Some(names) = cached.filter(|names| names.version == version) {
            return Ok(names);
        }
        let names = Arc::new(read(connection, tenant, version)?);
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= TENANTS {
            all.clear();
        }
        all.insert(tenant, Arc::clone(&names));
        Ok(names)
    }
}

fn read(connection: &Connection, tenant: TenantId, version: i64) -> Result<Names, Error> {
    let name: Option<String> = connection
        .prepare_cached("SELECT name FROM tenants WHERE id = ?1")?
        .query_row([tenant.0], |row| row.get(0))
        .optional()?;
    let mut names = Names::new(version, name.unwrap_or_default());
    for (table, sql) in Names::statements("?1") {
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([tenant.0])?;
        while let Some(row) = rows.next()? {
            names.add(table, row.get(0)?, row.get(1)?);
        }
    }
    Ok(names)
}

fn version(connection: &Connection, tenant: TenantId) -> Result<i64, Error> {
    let version = connection
        .prepare_cached("SELECT value FROM counters WHERE tenant_id = ?1 AND name = 'names'")?
        .query_row([tenant.0], |row| row.get(0))
        .optional()?;
    Ok(version.unwrap_or(0))
}

/// To be called by whatever has written to one of the tables, in the same transaction.
///
/// Versions are random, and not counted, so that a state that was rolled back shares its version with no later one.
pub(super) fn changed(connection: &Connection, tenant: TenantId) -> Result<(), Error> {
    connection
        .prepare_cached(
            "INSERT INTO counters (tenant_id, name, value) VALUES (?1, 'names', random())
             ON CONFLICT DO UPDATE SET value = excluded.value",
        )?
        .execute([tenant.0])?;
    Ok(())
}
