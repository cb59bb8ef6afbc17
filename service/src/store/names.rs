//! The names that ids of reference data stand for, kept in memory as long as no import changes them.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    Error,
    session::Session,
    statement::{Statement, first},
    value::{Row, values},
};
use crate::domain::tenant::TenantId;

/// Tenants whose names are kept.
const TENANTS: usize = 1000;

/// The tables whose names are kept, and what these are.
const TABLES: [(&str, &str); 12] = [
    ("account_types", "name"),
    ("address_types", "name"),
    ("assignees", "coalesce(user_name, name)"),
    ("business_types", "name"),
    ("chart_of_account_types", "name"),
    ("classes", "name"),
    ("countries", "name"),
    ("currencies", "name"),
    ("email_types", "name"),
    ("phone_types", "name"),
    ("sales_tax_items", "name"),
    ("service_types", "name"),
];

/// Names by id.
pub(super) type Table = BTreeMap<i32, Box<str>>;

/// The names of a tenant's reference data.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Another one when any of them has changed.
    version: i64,
    /// The name of the tenant itself.
    pub(super) tenant: String,
    tables: [Table; TABLES.len()],
}

/// The names of tenants that have been asked for; with too many of them it begins anew.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<HashMap<TenantId, Arc<Names>>>);

impl Names {
    /// The names of a table.
    pub(super) fn of(&self, table: &str) -> Option<&Table> {
        let position = TABLES.iter().position(|(known, _)| *known == table)?;
        self.tables.get(position)
    }

    /// What asks for the version of a tenant's names.
    pub(super) fn version(tenant: TenantId) -> Statement {
        Statement::new("SELECT value FROM counters WHERE tenant_id = $1 AND name = 'names'", values![tenant.0])
    }

    /// The version in the answer.
    pub(super) fn version_in(rows: &[Row]) -> Result<i64, Error> {
        Ok(first(rows)?.unwrap_or(0))
    }

    /// What notes that names have changed, in the same transaction. Versions are random, and not counted, so that a state that
    /// was rolled back shares its version with no later one.
    pub(super) fn changed(tenant: TenantId) -> Statement {
        let sql = "INSERT INTO counters (tenant_id, name, slot, value) VALUES ($1, 'names', 0, $2)
                   ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = excluded.value";
        Statement::new(sql, values![tenant.0, fastrand::i64(..)])
    }
}

impl Cache {
    /// The names with that version, if they have been read.
    pub(super) fn get(&self, tenant: TenantId, version: i64) -> Option<Arc<Names>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&tenant).filter(|names| names.version == version).map(Arc::clone)
    }

    /// Reads the names, which have that version.
    pub(super) async fn read(&self, session: &Session, tenant: TenantId, version: i64) -> Result<Arc<Names>, Error> {
        let mut statements = vec![Statement::new("SELECT name FROM tenants WHERE id = $1", values![tenant.0])];
        for (table, name) in TABLES {
            let sql = format!("SELECT id, {name} FROM {table} WHERE tenant_id = $1");
            statements.push(Statement::new(sql, values![tenant.0]));
        }
        let mut answers = session.all(statements).await?.into_iter();
        let tenant_name = first(&answers.next().unwrap_or_default())?.unwrap_or_default();
        let mut names = Names { version, tenant: tenant_name, ..Names::default() };
        for (table, rows) in names.tables.iter_mut().zip(answers) {
            for mut row in rows {
                table.insert(row.get(0)?, row.take::<String>(1)?.into());
            }
        }
        let names = Arc::new(names);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= TENANTS {
            all.clear();
        }
        all.insert(tenant, Arc::clone(&names));
        Ok(names)
    }
}
