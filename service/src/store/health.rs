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
                let last = Statement::new("SELECT coalesce(max(number), 0) FROM schema_migrations", Vec::new());
                let dialect = change.session.dialect();
                let mut statements = vec![last];
                if dialect == Dialect::Postgres {
                    // A standby or a full disk refuses to write.
                    statements.push(change.hold("ready"));
                }
                let answers = change.session.all(statements).await?;
                let found = first(answers.first().map(Vec::as_slice).unwrap_or_default())?.unwrap_or(0);
                migration::fit(found, migration::of(dialect))
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
