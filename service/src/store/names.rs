//! Names of reference data by id, cached until an import changes them.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use parking_lot::Mutex;

use super::{
    Error,
    session::Session,
    statement::{Statement, first},
    value::values,
};
use crate::domain::tenant::TenantId;

/// Maximum number of cached tenants.
const TENANTS: usize = 1000;

/// The cached tables and their name columns.
const TABLES: [(&str, &str); 14] = [
    ("account_types", "name"),
    ("address_types", "name"),
    ("assignees", "coalesce(user_name, name)"),
    ("business_types", "name"),
    ("chart_of_account_types", "name"),
    ("classes", "name"),
    ("countries", "name"),
    ("currencies", "name"),
    ("custom_fields", "name"),
    ("email_types", "name"),
    ("phone_types", "name"),
    ("roles", "name"),
    ("sales_tax_items", "name"),
    ("service_types", "name"),
];

/// Names by id.
pub(super) type Table = BTreeMap<i32, Box<str>>;

/// The names of a tenant's reference data.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Changes whenever any name changes.
    version: i64,
    /// The name of the tenant.
    pub(super) tenant: String,
    tables: HashMap<&'static str, Table>,
}

/// The cached names by tenant; cleared when full.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<HashMap<TenantId, Arc<Names>>>);

impl Names {
    /// The names of a table.
    pub(super) fn of(&self, table: &str) -> Result<&Table, Error> {
        self.tables.get(table).ok_or_else(|| Error::Damaged(format!("names of {table} are not kept")))
    }

    /// Selects the version of a tenant's names.
    pub(super) fn version(tenant: TenantId) -> Statement {
        Statement::new("SELECT value FROM counters WHERE tenant_id = $1 AND name = 'names'", values![tenant.0])
    }

    /// Records that names have changed, in the same transaction. Versions are random, so that a rolled-back
    /// state never shares its version with a later one.
    pub(super) fn changed(tenant: TenantId) -> Statement {
        let sql = "INSERT INTO counters (tenant_id, name, slot, value) VALUES ($1, 'names', 0, $2)
                   ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = excluded.value";
        Statement::new(sql, values![tenant.0, fastrand::i64(..)])
    }
}

impl Cache {
    /// The names with this version.
    pub(super) async fn get(&self, session: &Session, tenant: TenantId, version: i64) -> Result<Arc<Names>, Error> {
        if let Some(names) = self.0.lock().get(&tenant).filter(|names| names.version == version) {
            return Ok(Arc::clone(names));
        }
        let mut statements = vec![Statement::new("SELECT name FROM tenants WHERE id = $1", values![tenant.0])];
        for (table, name) in TABLES {
            let sql = format!("SELECT id, {name} FROM {table} WHERE tenant_id = $1");
            statements.push(Statement::new(sql, values![tenant.0]));
        }
        let mut answers = session.all(statements).await?.into_iter();
        let tenant_name = first(&answers.next().unwrap_or_default())?.unwrap_or_default();
        let mut names = Names { version, tenant: tenant_name, ..Names::default() };
        for ((table, _), rows) in TABLES.into_iter().zip(answers) {
            let entries = rows.into_iter().map(|mut row| Ok((row.get(0)?, row.take::<String>(1)?.into())));
            names.tables.insert(table, entries.collect::<Result<_, Error>>()?);
        }
        let names = Arc::new(names);
        let mut all = self.0.lock();
        if all.len() >= TENANTS {
            all.clear();
        }
        all.insert(tenant, Arc::clone(&names));
        Ok(names)
    }
}
