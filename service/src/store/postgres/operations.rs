//! The operations of a store on PostgreSQL: what each one runs, and whether it reads or writes.

mod attachment;
mod audit;
mod reference;
mod token;

use std::sync::Arc;

use crate::{
    domain::{
        caller::{Actor, Visibility},
        tenant::{Tenant, TenantId},
    },
    store::{Error, Scope},
};

use super::{Database, change::hold, migration, session::Query};

/// For whom the service itself reads.
fn nobody() -> Scope {
    Scope { tenant: TenantId::FIRST, visible: Visibility::All, actor: Actor::default(), reads_replicas: false }
}

impl Database {
    pub(in crate::store) async fn tenants(&self) -> Result<Vec<Tenant>, Error> {
        self.view(&nobody(), |view| async move {
            let rows = view.session.rows(Query::new("SELECT id, name FROM tenants ORDER BY id", [])).await?;
            let tenant =
                |row: &tokio_postgres::Row| Ok(Tenant { id: TenantId(row.try_get(0)?), name: row.try_get(1)? });
            rows.iter().map(tenant).collect()
        })
        .await
    }

    pub(in crate::store) async fn about(&self) -> Result<String, Error> {
        self.view(&nobody(), |view| async move {
            let sql = "SELECT current_setting('server_version'), current_user::text, row_security_active('accounts'),
                              pg_is_in_recovery(), (SELECT max(number) FROM schema_migrations)";
            let rows = view.session.rows(Query::new(sql, [])).await?;
            let [row] = rows.as_slice() else { return Err(Error::NoStore) };
            let (version, role): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            let (is_fenced, is_standby, migration): (bool, bool, i64) =
                (row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
            let fence = if is_fenced { "sees one tenant at a time" } else { "sees the rows of all tenants" };
            let standby = if is_standby { ", a standby" } else { "" };
            Ok(format!("PostgreSQL {version}{standby}, migration {migration}; the role {role} {fence}"))
        })
        .await
    }

    pub(in crate::store) async fn about_replicas(&self) -> Vec<String> {
        self.replicas.about(&self.pool).await.into_iter().map(|(about, _)| about).collect()
    }

    pub(in crate::store) async fn ready(&self) -> Result<(), Error> {
        self.write(&Arc::new(self.turns.own()?), &nobody(), |change| async move {
            // A standby, and a disk that is full, refuse to write.
            let [rows, _] = change.session().run([migration::last(), hold(change.tenant(), "ready")]).await?;
            migration::is_last(&rows)
        })
        .await
    }
}
