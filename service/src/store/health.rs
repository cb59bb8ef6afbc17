//! Operators' queries: the tenants of a store, its readiness, and its database.

use super::{migration, operation::*, transfer::tenants};
use crate::domain::tenant::Tenant;

impl Store {
    /// Every tenant.
    pub async fn tenants(&self) -> Result<Vec<Tenant>, Error> {
        self.tenant(TenantId::FIRST).view(Cost::Short, (), |view, ()| async move { tenants(&view.session).await }).await
    }

    /// Checks that the store can be read and written and that its tables are those of this program.
    pub async fn ready(&self) -> Result<(), Error> {
        self.tenant(TenantId::FIRST)
            .change((), |change, ()| async move {
                migration::fit(&change.session).await?;
                if change.session.dialect() == Dialect::Postgres {
                    // A standby or a full disk refuses to write.
                    change.rows(change.hold("ready")).await?;
                }
                Ok(())
            })
            .await
    }

    /// The database: program, version, and migration of the tables.
    pub async fn about(&self) -> Result<String, Error> {
        self.tenant(TenantId::FIRST)
            .view(Cost::Short, (), |view, ()| async move {
                let sql = match view.session.dialect() {
                    Dialect::Sqlite => {
                        "SELECT 'SQLite ' || sqlite_version() || ', migration ' || (SELECT max(number) FROM schema_migrations)"
                    }
                    Dialect::Postgres => {
                        "SELECT 'PostgreSQL ' || current_setting('server_version')
                             || CASE WHEN pg_is_in_recovery() THEN ', a standby' ELSE '' END
                             || ', migration ' || (SELECT max(number) FROM schema_migrations)
                             || '; the role ' || current_user || CASE WHEN row_security_active('accounts')
                             THEN ' sees one tenant at a time' ELSE ' sees the rows of all tenants' END"
                    }
                };
                view.session.first(sql).await?.ok_or(Error::NoStore)
            })
            .await
    }
}
