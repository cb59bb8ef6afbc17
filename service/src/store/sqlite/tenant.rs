//! Tenants.

use rusqlite::Connection;

use crate::{
    domain::tenant::{Tenant, TenantId},
    store::Error,
};

pub(super) fn create(connection: &Connection, id: TenantId, name: &str) -> Result<(), Error> {
    connection.execute("INSERT INTO tenants (id, name) VALUES (?1, ?2)", (id.0, name))?;
    Ok(())
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Tenant>, Error> {
    let mut statement = connection.prepare_cached("SELECT id, name FROM tenants ORDER BY id")?;
    let rows = statement.query_map((), |row| Ok(Tenant { id: TenantId(row.get(0)?), name: row.get(1)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
