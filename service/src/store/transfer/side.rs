//! A store that is looked at, copied or made, and the statements that both kinds understand.

use std::collections::BTreeMap;

use super::{KnownBlob, Table, Value, plan::Sum};
use crate::{
    domain::tenant::{Tenant, TenantId},
    store::{Error, Location, Options, postgres, sqlite},
};

/// A store that is looked at, copied or made.
#[derive(Debug)]
pub(in crate::store) enum Side {
    Sqlite(sqlite::transfer::Side),
    Postgres(postgres::transfer::Side),
}

impl Side {
    /// A store as it is at this moment, or what there is in its place.
    pub(in crate::store) async fn look(location: &Location, options: &Options) -> Result<Self, Error> {
        Ok(match location {
            Location::Sqlite(file) => Self::Sqlite(sqlite::transfer::Side::look(file)?),
            Location::Postgres(url) => Self::Postgres(postgres::transfer::Side::look(url, options).await?),
        })
    }

    /// The store to be copied, as it is at this moment.
    pub(super) async fn source(location: &Location, options: &Options) -> Result<Self, Error> {
        let side = Self::look(location, options).await?;
        let (found, known) = side.migration().await?;
        if found < known { Err(Error::Older { found, known }) } else { Ok(side) }
    }

    /// The last migration that it has, and the last one that this program knows; fails when it is no store of this program,
    /// or of a newer one.
    pub(in crate::store) async fn migration(&self) -> Result<(i64, i64), Error> {
        match self {
            Self::Sqlite(side) => side.migration(),
            Self::Postgres(side) => side.migration().await,
        }
    }

    /// The store to be made of the one with that identity.
    pub(super) async fn target(location: &Location, options: &Options, of: &[u8]) -> Result<Self, Error> {
        Ok(match location {
            Location::Sqlite(file) => Self::Sqlite(sqlite::transfer::Side::target(file, options, of)?),
            Location::Postgres(url) => Self::Postgres(postgres::transfer::Side::target(url, options, of).await?),
        })
    }

    /// What no other store has.
    pub(super) async fn identity(&self) -> Result<Vec<u8>, Error> {
        let rows = self.rows("SELECT number, checksum, applied_on FROM schema_migrations ORDER BY number", &[]).await?;
        let mut sum = Sum::new("");
        for row in &rows {
            sum.add(row);
        }
        Ok(sum.end().1.into_bytes())
    }

    pub(super) async fn tenants(&self) -> Result<Vec<Tenant>, Error> {
        let rows = self.rows("SELECT id, name FROM tenants ORDER BY id", &[]).await?;
        let tenant = |row: Vec<Value>| match <[Value; 2]>::try_from(row) {
            Ok([Value::Integer(id), Value::Text(name)]) => {
                Ok(Tenant { id: TenantId(i32::try_from(id).map_err(Error::database)?), name })
            }
            _ => Err(Error::Damaged("a tenant has no number or no name".into())),
        };
        rows.into_iter().map(tenant).collect()
    }

    /// Every blob that holds a content of one of these tenants, once.
    pub(super) async fn blobs(&self, tenants: &[Tenant]) -> Result<Vec<KnownBlob>, Error> {
        let mark = self.mark();
        let sql = format!(
            "SELECT c.blob, c.size, CASE WHEN EXISTS (SELECT 1 FROM attachments AS a
                     WHERE a.tenant_id = c.tenant_id AND a.hash = c.hash)
                 OR EXISTS (SELECT 1 FROM temporary_uploads AS t
                     WHERE t.tenant_id = c.tenant_id AND t.hash = c.hash) THEN 1 ELSE 0 END
             FROM contents AS c WHERE c.tenant_id = {mark}1 ORDER BY c.blob"
        );
        let mut found = BTreeMap::new();
        for tenant in tenants {
            for row in self.rows(&sql, &[Value::Integer(tenant.id.0.into())]).await? {
                let Ok([Value::Text(name), Value::Integer(size), Value::Integer(used)]) = <[Value; 3]>::try_from(row)
                else {
                    return Err(Error::Damaged("a content has no blob or no size".into()));
                };
                let blob = found.entry(name).or_insert((size.cast_unsigned(), false));
                blob.1 |= used != 0;
            }
        }
        Ok(found.into_iter().map(|(name, (size, is_used))| KnownBlob { name, size, is_used }).collect())
    }

    /// The columns of a table; none when there is no such table.
    pub(in crate::store) async fn columns(&self, table: &str) -> Result<Vec<String>, Error> {
        match self {
            Self::Sqlite(side) => side.columns(table),
            Self::Postgres(side) => side.columns(table).await,
        }
    }

    /// Some rows of a tenant behind a key, by their keys.
    pub(super) async fn page(
        &self,
        table: &Table,
        columns: &[String],
        tenant: i32,
        after: Option<&[Value]>,
        limit: usize,
    ) -> Result<Vec<Vec<Value>>, Error> {
        let mark = self.mark();
        let key = table.key.join(", ");
        let behind = after.map_or_else(String::new, |after| {
            let marks: Vec<_> = (2..).take(after.len()).map(|number| format!("{mark}{number}")).collect();
            format!("AND ({key}) > ({})", marks.join(", "))
        });
        let rows = match self {
            Self::Sqlite(_) => table.name.to_owned(),
            Self::Postgres(_) => postgres::transfer::rows_of(table, columns),
        };
        let columns = columns.join(", ");
        let sql =
            format!("SELECT {columns} FROM {rows} WHERE tenant_id = {mark}1 {behind} ORDER BY {key} LIMIT {limit}");
        let tenant = [Value::Integer(tenant.into())];
        self.rows(&sql, &[&tenant, after.unwrap_or_default()].concat()).await
    }

    /// The greatest key of a tenant.
    pub(super) async fn last(&self, table: &Table, tenant: i32) -> Result<Option<Vec<Value>>, Error> {
        let order: Vec<_> = table.key.iter().map(|column| format!("{column} DESC")).collect();
        let (key, name, order, mark) = (table.key.join(", "), table.name, order.join(", "), self.mark());
        let sql = format!("SELECT {key} FROM {name} WHERE tenant_id = {mark}1 ORDER BY {order} LIMIT 1");
        Ok(self.rows(&sql, &[Value::Integer(tenant.into())]).await?.pop())
    }

    pub(super) async fn put_tenants(&mut self, tenants: &[Tenant]) -> Result<(), Error> {
        match self {
            Self::Sqlite(side) => side.put_tenants(tenants),
            Self::Postgres(side) => side.put_tenants(tenants).await,
        }
    }

    /// Writes rows, all or none.
    pub(super) async fn insert(
        &mut self,
        table: &Table,
        columns: &[String],
        rows: Vec<Vec<Value>>,
    ) -> Result<(), Error> {
        match self {
            Self::Sqlite(side) => side.insert(table, columns, rows),
            Self::Postgres(side) => side.insert(table, columns, rows).await,
        }
    }

    /// Writes one column of rows that are there.
    pub(super) async fn put_parents(
        &self,
        table: &Table,
        parent: &str,
        columns: &[String],
        rows: Vec<Vec<Value>>,
    ) -> Result<(), Error> {
        match self {
            // They were written with the rows.
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(side) => side.put_parents(table, parent, columns, rows).await,
        }
    }

    /// Whether a row cannot be written before the one that it refers to.
    pub(super) fn checks_at_once(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Has what is read from now on be of this moment.
    pub(super) async fn look_again(&mut self) -> Result<(), Error> {
        match self {
            // Whoever copies has locked its folder.
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(side) => side.look_again().await,
        }
    }

    /// Whether no record has been written since the last look.
    pub(super) async fn is_unchanged(&self) -> Result<bool, Error> {
        match self {
            // Whoever copies has locked its folder.
            Self::Sqlite(_) => Ok(true),
            Self::Postgres(side) => side.is_unchanged().await,
        }
    }

    /// Lets others use it.
    pub(super) async fn end(&self, tenants: &[Tenant]) -> Result<(), Error> {
        match self {
            Self::Sqlite(side) => side.end(),
            Self::Postgres(side) => side.end(tenants).await,
        }
    }

    pub(in crate::store) async fn rows(&self, sql: &str, values: &[Value]) -> Result<Vec<Vec<Value>>, Error> {
        match self {
            Self::Sqlite(side) => side.rows(sql, values),
            Self::Postgres(side) => side.rows(sql, values).await,
        }
    }

    /// What the number of a value follows.
    fn mark(&self) -> char {
        match self {
            Self::Sqlite(_) => '?',
            Self::Postgres(_) => '$',
        }
    }
}
