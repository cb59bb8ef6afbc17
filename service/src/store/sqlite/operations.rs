//! The operations of a store on SQLite: what each one runs, and whether it reads or writes.

mod attachment;
mod audit;
mod reference;
mod retention;
mod token;

use std::sync::Arc;

use super::{Change, Database, Reader, View, idempotency, migration, tenant};
use crate::{
    domain::{
        idempotency::{Done, IdempotencyKey},
        tenant::Tenant,
    },
    store::{
        Error, Scope,
        queue::{NOBODY, asker},
    },
};
use generated_server::runtime::json::{Read, Write};

impl Database {
    pub(in crate::store) async fn tenants(&self) -> Result<Vec<Tenant>, Error> {
        self.read(NOBODY, |reader| tenant::all(reader.connection())).await
    }

    pub(in crate::store) async fn ready(&self) -> Result<(), Error> {
        self.read(NOBODY, |reader| migration::fit(reader.connection())).await?;
        self.write(NOBODY, |_| Ok(())).await
    }

    pub(in crate::store) async fn about(&self) -> Result<String, Error> {
        self.read(NOBODY, |reader| {
            let sql =
                "SELECT 'SQLite ' || sqlite_version() || ', migration ' || (SELECT max(number) FROM schema_migrations)";
            Ok(reader.connection().query_row(sql, (), |row| row.get(0))?)
        })
        .await
    }

    /// Reads as somebody.
    async fn view<T: Send + 'static>(
        &self,
        scope: &Scope,
        work: impl Fn(&View<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (tenant, visible, cache) = (scope.tenant, scope.visible.clone(), Arc::clone(&self.names));
        let view = move |reader: &Reader| work(&View::of(reader, tenant, &visible, &cache));
        self.read(asker(scope), view).await
    }

    /// Writes as somebody.
    async fn change<T: Send + 'static>(
        &self,
        scope: &Scope,
        work: impl FnOnce(&Change<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (asker, scope, cache) = (asker(scope), scope.clone(), Arc::clone(&self.names));
        self.write(asker, move |connection| work(&Change::begin(connection, &scope, &cache))).await
    }

    /// Writes, unless the same request with that key has been done: then what it gave comes back.
    async fn change_once<T: Read + Write + Send + 'static>(
        &self,
        scope: &Scope,
        key: Option<IdempotencyKey>,
        work: impl FnOnce(&Change<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<Done<T>, Error> {
        self.change(scope, move |change| idempotency::once(change, key.as_ref(), work)).await
    }
}
