//! The names that ids of reference data stand for, kept in memory as long as no import changes them.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, PoisonError, RwLock},
};

use rusqlite::{Connection, OptionalExtension};

use super::fold::fold;
use crate::{domain::tenant::TenantId, store::Error};

/// The tables whose names are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    AccountTypes,
    AddressTypes,
    /// The user names of assignees.
    Assignees,
    BusinessTypes,
    ChartOfAccountTypes,
    Classes,
    Countries,
    Currencies,
    EmailTypes,
    PhoneTypes,
    SalesTaxItems,
    ServiceTypes,
}

/// Every table, in the order of its number, and how its names are read.
const TABLES: [(Table, &str); 12] = [
    (Table::AccountTypes, "SELECT id, name FROM account_types WHERE tenant_id = ?1"),
    (Table::AddressTypes, "SELECT id, name FROM address_types WHERE tenant_id = ?1"),
    (Table::Assignees, "SELECT id, coalesce(user_name, name) FROM assignees WHERE tenant_id = ?1"),
    (Table::BusinessTypes, "SELECT id, name FROM business_types WHERE tenant_id = ?1"),
    (Table::ChartOfAccountTypes, "SELECT id, name FROM chart_of_account_types WHERE tenant_id = ?1"),
    (Table::Classes, "SELECT id, name FROM classes WHERE tenant_id = ?1"),
    (Table::Countries, "SELECT id, name FROM countries WHERE tenant_id = ?1"),
    (Table::Currencies, "SELECT id, name FROM currencies WHERE tenant_id = ?1"),
    (Table::EmailTypes, "SELECT id, name FROM email_types WHERE tenant_id = ?1"),
    (Table::PhoneTypes, "SELECT id, name FROM phone_types WHERE tenant_id = ?1"),
    (Table::SalesTaxItems, "SELECT id, name FROM sales_tax_items WHERE tenant_id = ?1"),
    (Table::ServiceTypes, "SELECT id, name FROM service_types WHERE tenant_id = ?1"),
];

/// The names of a tenant's reference data.
#[derive(Debug, Default)]
pub(super) struct Names {
    version: i64,
    tenant: String,
    tables: [BTreeMap<i32, Box<str>>; TABLES.len()],
}

/// The names of every tenant that has been asked for, shared by all readers.
#[derive(Debug, Default)]
pub(super) struct Cache(RwLock<HashMap<TenantId, Arc<Names>>>);

impl Names {
    pub(super) fn get(&self, table: Table, id: i32) -> Option<&str> {
        self.tables[table as usize].get(&id).map(AsRef::as_ref)
    }

    /// The ids of the names that `part` is a part of, in any letter case.
    pub(super) fn ids(&self, table: Table, part: &str) -> Vec<i32> {
        let part = fold(part);
        let names = self.tables[table as usize].iter();
        names.filter(|(_, name)| fold(name).contains(&part)).map(|(id, _)| *id).collect()
    }

    pub(super) fn tenant(&self) -> &str {
        &self.tenant
    }

    fn read(connection: &Connection, tenant: TenantId, version: i64) -> Result<Self, Error> {
        let name: Option<String> = connection
            .prepare_cached("SELECT name FROM tenants WHERE id = ?1")?
            .query_row([tenant.0], |row| row.get(0))
            .optional()?;
        let mut names = Self { version, tenant: name.unwrap_or_default(), tables: Default::default() };
        for (table, sql) in TABLES {
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([tenant.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
            names.tables[table as usize] = rows.collect::<Result<_, _>>()?;
        }
        Ok(names)
    }
}

impl Cache {
    /// The names as they are in the state that `connection` reads.
    pub(super) fn get(&self, connection: &Connection, tenant: TenantId) -> Result<Arc<Names>, Error> {
        let version = version(connection, tenant)?;
        let cached = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&tenant).map(Arc::clone);
        if let Some(names) = cached.filter(|names| names.version == version) {
            return Ok(names);
        }
        let names = Arc::new(Names::read(connection, tenant, version)?);
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(tenant, Arc::clone(&names));
        Ok(names)
    }
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

#[cfg(test)]
mod tests {
    use super::TABLES;

    #[test]
    fn tables_stand_in_the_order_of_their_numbers() {
        assert!(TABLES.iter().enumerate().all(|(number, (table, _))| *table as usize == number));
    }
}
