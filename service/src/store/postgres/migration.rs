//! Brings the tables of a database up to date: numbered files, forward only, each checked against what was run.

use deadpool_postgres::{Object, Pool};
use jiff::Timestamp;

use crate::{
    domain::tenant::TenantId,
    store::{
        Error, Options,
        migration::{Migration, check, checksum, number},
    },
};

macro_rules! migrations {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../migrations/postgres/", $name, ".sql")))),*]
    };
}

pub(in crate::store) const MIGRATIONS: &[Migration] = migrations!["0001_tables", "0002_views"];

/// Row-level security for every table with a tenant. It is run after the migrations, so that no new table misses it.
const FENCE: &str = include_str!("../../../migrations/postgres/fence.sql");

/// Where it is noted which migrations have been run. A store is a schema with this table.
const TABLE: &str = "CREATE TABLE schema_migrations (
    number     bigint PRIMARY KEY,
    name       text NOT NULL,
    checksum   bytea NOT NULL,
    applied_on bigint NOT NULL
)";

/// So often it is tried when others do the same.
const ATTEMPTS: u32 = 10;

/// Runs what is missing, in one transaction; whoever comes at the same time waits, and finds it done. True when there was
/// nothing before. `role`, which does not own the tables, may read and write them from then on.
pub(super) async fn migrate(pool: &Pool, options: &Options, role: Option<&str>) -> Result<bool, Error> {
    let connection = pool.get().await?;
    let mut attempt = 1;
    let is_new = loop {
        match run(&connection, options, MIGRATIONS, role).await {
            Err(error) if attempt < ATTEMPTS && is_conflict(&error) => attempt += 1,
            result => break result?,
        }
    };
    Ok(is_new)
}

/// Lets a role read and write, and change no tables.
async fn grant(connection: &Object, role: &str) -> Result<(), Error> {
    let sql = "SELECT format('GRANT USAGE ON SCHEMA %1$I TO %2$I;
                              GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %1$I TO %2$I;
                              REVOKE INSERT, UPDATE, DELETE ON %1$I.schema_migrations, %1$I.tenants FROM %2$I',
                             current_schema(), $1::text)";
    let grants: String = connection.query_one(sql, &[&role]).await?.try_get(0)?;
    Ok(connection.batch_execute(&grants).await?)
}

/// Whether the database has the migrations that this program knows, and no others. Answers false: it is not new.
pub(super) async fn fit(pool: &Pool) -> Result<bool, Error> {
    let (found, known) = state(pool).await?;
    if found < known { Err(Error::Older { found, known }) } else { Ok(false) }
}

/// The last migration of a database, and the last one that is known; fails when it is not ours, or newer.
pub(super) async fn state(pool: &Pool) -> Result<(i64, i64), Error> {
    let connection = pool.get().await?;
    if !is_store(&connection).await? {
        return Err(Error::NoStore);
    }
    Ok((check(&applied(&connection).await?, MIGRATIONS)?, number(MIGRATIONS.len())))
}

/// Number and checksum of those that have been run; nothing when there is no store.
pub(super) async fn done(pool: &Pool) -> Result<Option<Vec<(i64, Vec<u8>)>>, Error> {
    let connection = pool.get().await?;
    Ok(if is_store(&connection).await? { Some(applied(&connection).await?) } else { None })
}

async fn run(
    connection: &Object,
    options: &Options,
    migrations: &[Migration],
    role: Option<&str>,
) -> Result<bool, Error> {
    connection.batch_execute("BEGIN").await?;
    let result = bring(connection, options, migrations, role).await;
    let end = connection.batch_execute(if result.is_ok() { "COMMIT" } else { "ROLLBACK" }).await;
    let is_new = result?;
    end?;
    Ok(is_new)
}

async fn bring(
    connection: &Object,
    options: &Options,
    migrations: &[Migration],
    role: Option<&str>,
) -> Result<bool, Error> {
    if !is_store(connection).await? {
        if !options.makes {
            return Err(Error::NoStore);
        }
        if has_tables(connection).await? {
            return Err(Error::Foreign("the schema".into()));
        }
        // Of two who make it at the same time one fails, and finds it there when it tries again.
        connection.batch_execute(TABLE).await?;
    }
    let known = number(migrations.len());
    let found = check(&applied(connection).await?, migrations)?;
    if found == known && role.is_none() {
        return Ok(false);
    }
    if found > 0 && !owns_tables(connection).await? {
        return Err(Error::Older { found, known });
    }
    connection.batch_execute("LOCK TABLE schema_migrations IN EXCLUSIVE MODE").await?;
    let found = check(&applied(connection).await?, migrations)?;
    if found > 0 && found < known && !options.migrates {
        return Err(Error::Older { found, known });
    }
    for (number, (name, sql)) in (1..).zip(migrations).filter(|(number, _)| *number > found) {
        connection.batch_execute(sql).await?;
        let note = "INSERT INTO schema_migrations (number, name, checksum, applied_on) VALUES ($1, $2, $3, $4)";
        let now = Timestamp::now().as_microsecond();
        connection.execute(note, &[&number, name, &checksum(sql), &now]).await?;
    }
    connection.batch_execute(FENCE).await?;
    if found == 0 {
        let sql = "INSERT INTO tenants (id, name) VALUES ($1, $2)";
        connection.execute(sql, &[&TenantId::FIRST.0, &options.tenant_name]).await?;
    }
    if let Some(role) = role {
        grant(connection, role).await?;
    }
    Ok(found == 0)
}

/// Whether others have made the same tables meanwhile.
fn is_conflict(error: &Error) -> bool {
    let Error::Database(source) = error else { return false };
    let code = source.downcast_ref::<tokio_postgres::Error>().and_then(tokio_postgres::Error::code);
    code.is_some_and(|code| matches!(code.code(), "23505" | "42P07" | "40001" | "40P01"))
}

/// Whether the schema has the table that notes migrations of ours; others have one of that name, too.
async fn is_store(connection: &Object) -> Result<bool, Error> {
    // The server shows it also to a role that may not read the table.
    let sql = "SELECT EXISTS (SELECT 1 FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
               JOIN pg_namespace AS n ON n.oid = c.relnamespace
               WHERE n.nspname = current_schema() AND c.relname = 'schema_migrations' AND a.attname = 'checksum')";
    Ok(connection.query_one(sql, &[]).await?.try_get(0)?)
}

/// Whether the tables are those of the role that asks.
async fn owns_tables(connection: &Object) -> Result<bool, Error> {
    let sql = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'schema_migrations'::regclass";
    Ok(connection.query_one(sql, &[]).await?.try_get(0)?)
}

async fn has_tables(connection: &Object) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema()
               AND table_type = 'BASE TABLE')";
    Ok(connection.query_one(sql, &[]).await?.try_get(0)?)
}

async fn applied(connection: &Object) -> Result<Vec<(i64, Vec<u8>)>, Error> {
    let rows = connection.query("SELECT number, checksum FROM schema_migrations ORDER BY number", &[]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

#[cfg(test)]
mod tests {
    tests_postgres::with_postgres! {
        use std::{sync::Barrier, thread, time::Duration};

        use super::{super::connection, *};
        use crate::store::{Location, Store};

        const FIRST: Migration = ("0001_a", "CREATE TABLE a (id integer PRIMARY KEY); CREATE TABLE tenants (id integer, name text)");
        const SECOND: Migration = ("0002_b", "CREATE TABLE b (id integer PRIMARY KEY); INSERT INTO b VALUES (1)");

        /// Brings a database so far; true when there was nothing before.
        fn bring_to(url: &str, options: &Options, migrations: &[Migration]) -> Result<bool, Error> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let pool = connection::pool(url, 1, Duration::from_secs(10))?;
                run(&pool.get().await?, options, migrations, None).await
            })
        }

        fn tables(url: &str) -> String {
            let sql = "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables
                       WHERE schemaname = 'public' AND tablename NOT IN ('schema_migrations', 'tenants')";
            tests_postgres::execute(url, sql).trim().to_owned()
        }

        #[test]
        fn each_migration_runs_once() {
            let (url, options) = (tests_postgres::database(), Options::default());
            assert!(bring_to(&url, &options, &[FIRST]).unwrap());
            assert!(!bring_to(&url, &options, &[FIRST]).unwrap());
            assert!(!bring_to(&url, &options, &[FIRST, SECOND]).unwrap());
            assert!(!bring_to(&url, &options, &[FIRST, SECOND]).unwrap());
            assert_eq!(tables(&url), "a b");
            assert_eq!(tests_postgres::execute(&url, "SELECT count(*) FROM b").trim(), "1");
        }

        #[test]
        fn an_older_database_is_left_alone_when_it_is_not_to_be_changed() {
            let url = tests_postgres::database();
            bring_to(&url, &Options::default(), &[FIRST]).unwrap();
            let options = Options { migrates: false, ..Options::default() };
            let refused = bring_to(&url, &options, &[FIRST, SECOND]);
            assert!(matches!(refused, Err(Error::Older { found: 1, known: 2 })), "{refused:?}");
            assert_eq!(tables(&url), "a");
        }

        #[test]
        fn a_newer_or_altered_database_is_left_alone() {
            let (url, options) = (tests_postgres::database(), Options::default());
            bring_to(&url, &options, &[FIRST, SECOND]).unwrap();
            assert!(matches!(bring_to(&url, &options, &[FIRST]), Err(Error::Newer { found: 2, known: 1 })));
            assert!(matches!(bring_to(&url, &options, &[("0001_a", ""), SECOND]), Err(Error::Altered(1))));
        }

        #[test]
        fn a_migration_that_fails_leaves_nothing() {
            let (url, options) = (tests_postgres::database(), Options::default());
            assert!(bring_to(&url, &options, &[FIRST, ("0002_b", "CREATE TABLE b (id integer); SELECT 1 / 0")]).is_err());
            assert_eq!(tests_postgres::execute(&url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").trim(), "0");
            bring_to(&url, &options, &[FIRST]).unwrap();
            let orphan = "CREATE TABLE c (a integer REFERENCES a DEFERRABLE INITIALLY DEFERRED); INSERT INTO c VALUES (7)";
            for sql in ["CREATE TABLE a (id integer)", orphan] {
                assert!(bring_to(&url, &options, &[FIRST, ("0002_b", sql)]).is_err());
                assert_eq!(tables(&url), "a", "{sql}");
            }
        }

        #[test]
        fn ten_that_start_at_once_on_an_older_database_bring_it_up_to_date_once() {
            let (url, options) = (tests_postgres::database(), Options::default());
            assert!(bring_to(&url, &options, &[FIRST]).unwrap());
            let start = Barrier::new(10);
            let bring = || {
                start.wait();
                bring_to(&url, &options, &[FIRST, SECOND])
            };
            let brought: Vec<_> = thread::scope(|threads| {
                let bringing: Vec<_> = (0..10).map(|_| threads.spawn(bring)).collect();
                bringing.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(brought.iter().all(|brought| matches!(brought, Ok(false))), "{brought:?}");
            assert_eq!(tests_postgres::execute(&url, "SELECT count(*) FROM b").trim(), "1");
        }

        #[test]
        fn every_table_of_tenants_has_its_fence() {
            let url = tests_postgres::database();
            let store = Store::open(Location::Postgres(url.clone()), &Options::default()).unwrap();
            drop(store);
            let sql = "SELECT string_agg(c.table_name, ' ') FROM information_schema.columns AS c
                       JOIN pg_tables AS t ON t.schemaname = c.table_schema AND t.tablename = c.table_name
                       WHERE c.table_schema = 'public' AND c.column_name = 'tenant_id' AND (NOT t.rowsecurity OR NOT EXISTS (
                           SELECT FROM pg_policies AS p WHERE p.tablename = c.table_name AND p.policyname = 'of_tenant'))";
            assert_eq!(tests_postgres::execute(&url, sql).trim(), "");
        }
    }
}
