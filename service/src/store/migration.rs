//! Migrations: numbered, forward-only files. Files that were run already must not have changed.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::{
    Error, Options,
    direct::Direct,
    error::Violation,
    session::Session,
    sqlite::copy,
    statement::{Dialect, Statement},
    value::{Value, values},
};
use crate::domain::tenant::TenantId;

/// The name and the statements of a migration. Its number is its position, from 1.
pub(super) type Migration = (&'static str, &'static str);

macro_rules! migrations {
    ($($name:literal),*) => {
        const SQLITE: &[Migration] = &[$(($name, include_str!(concat!("../../migrations/sqlite/", $name, ".sql")))),*];
        const POSTGRES: &[Migration] = &[$(($name, include_str!(concat!("../../migrations/postgres/", $name, ".sql")))),*];
    };
}

// In order.
migrations!["0001_tables", "0002_views"];

/// Row-level security for every table with a tenant. It is run after the migrations, so that it covers new
/// tables.
const FENCE: &str = include_str!("../../migrations/postgres/fence.sql");

/// The application id in the header of our SQLite files: "bms1".
const APPLICATION: i64 = 0x626d_7331;

/// The number of a migration that marks a store as an unfinished copy. Its checksum is the identity of the
/// source.
pub(super) const UNFINISHED: i64 = i64::MAX;

/// Maximum number of attempts of a migration while another process creates the same tables.
const ATTEMPTS: u32 = 10;

/// Number and checksum of an applied migration.
pub(super) type Applied = (i64, Vec<u8>);

/// A migration of an older store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The last migration before.
    pub from: i64,
    /// The last migration after.
    pub to: i64,
    /// The copy of the old store.
    pub copy: PathBuf,
}

/// The result of opening a store.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Whether the store was created.
    pub(super) is_new: bool,
    /// The migration of an older store in a file, of which a copy is kept.
    pub(super) migrated: Option<Migrated>,
}

/// The migrations of a kind of database.
pub(super) fn of(dialect: Dialect) -> &'static [Migration] {
    match dialect {
        Dialect::Sqlite => SQLITE,
        Dialect::Postgres => POSTGRES,
    }
}

/// Runs the missing migrations in one transaction. Another process that does the same waits and finds it
/// done. A copy of an existing file is kept. The role of the service gets rights to read and write tables that another one owns.
pub(super) async fn migrate(direct: &Direct, options: &Options) -> Result<Outcome, Error> {
    let migrations = match direct {
        Direct::Sqlite { .. } => SQLITE,
        Direct::Postgres { .. } => POSTGRES,
    };
    run(direct, options, migrations).await
}

async fn run(direct: &Direct, options: &Options, migrations: &[Migration]) -> Result<Outcome, Error> {
    let mut attempt = 1;
    loop {
        let mut copy = None;
        let run = async |session: &Session| bring(direct, session, options, migrations, &mut copy).await;
        let result = direct.write(run).await;
        match result {
            Err(error) if attempt < ATTEMPTS && is_conflict(&error) => attempt += 1,
            result => {
                if let (Err(_), Some(copy)) = (&result, copy) {
                    // The store is unchanged. A service that restarts repeatedly must not fill the disk with copies.
                    let _ = std::fs::remove_file(copy);
                }
                return result;
            }
        }
    }
}

/// Migrates a database in an open transaction. Sets `copy` to the path of the copy.
async fn bring(
    direct: &Direct,
    session: &Session,
    options: &Options,
    migrations: &[Migration],
    copy: &mut Option<PathBuf>,
) -> Result<Outcome, Error> {
    let (dialect, known) = (session.dialect(), number(migrations.len()));
    let role = if let Direct::Postgres { role, .. } = direct { role.as_ref() } else { None };
    if !is_store(session).await? {
        if !options.creates {
            return Err(Error::NoStore);
        }
        if has_tables(session).await? {
            return Err(direct.foreign());
        }
        // If two processes create the table at once, one fails and finds it when it tries again.
        session.batch(&table(dialect)).await?;
    }
    let mut found = check(&applied(session).await?, migrations)?;
    if found == known && role.is_none() {
        return Ok(Outcome::default());
    }
    if dialect == Dialect::Postgres {
        if found > 0 && !owns_tables(session).await? {
            return Err(Error::Older { found, known });
        }
        session.batch("LOCK TABLE schema_migrations IN EXCLUSIVE MODE").await?;
        found = check(&applied(session).await?, migrations)?;
    }
    if found > 0 && found < known && !options.migrates {
        return Err(Error::Older { found, known });
    }
    if let (Direct::Sqlite { file, .. }, 1..) = (direct, found) {
        // No other process writes while the transaction is open, so the copy is the state before the migrations.
        *copy = Some(copy_before(file, found)?);
    }
    for (number, (name, sql)) in (1..).zip(migrations).filter(|(number, _)| *number > found) {
        session.batch(sql).await?;
        session.rows(note(number, name, checksum(sql))).await?;
    }
    if dialect == Dialect::Postgres {
        session.batch(FENCE).await?;
    }
    if found == 0 {
        let sql = "INSERT INTO tenants (id, name) VALUES ($1, $2)";
        session.rows(Statement::new(sql, values![TenantId::FIRST.0, &options.tenant_name])).await?;
    }
    if let Some(role) = role {
        grant(session, role).await?;
    }
    let migrated = copy.clone().map(|copy| Migrated { from: found, to: known, copy });
    Ok(Outcome { is_new: found == 0, migrated })
}

/// The last migration of a database, and the last one of this program. Fails if the database is not ours, or
/// newer.
pub(super) async fn state(direct: &Direct, session: &Session) -> Result<(i64, i64), Error> {
    let migrations = of(session.dialect());
    match done(session).await? {
        Some(applied) => Ok((check(&applied, migrations)?, number(migrations.len()))),
        None if session.dialect() == Dialect::Postgres => Err(Error::NoStore),
        None => Err(direct.foreign()),
    }
}

/// Fails unless a database has exactly the migrations of this program.
pub(super) async fn ensure_current(direct: &Direct, session: &Session) -> Result<(), Error> {
    let (found, known) = state(direct, session).await?;
    if found < known { Err(Error::Older { found, known }) } else { Ok(()) }
}

/// The applied migrations; `None` if there is no store.
pub(super) async fn done(session: &Session) -> Result<Option<Vec<Applied>>, Error> {
    Ok(if is_store(session).await? { Some(applied(session).await?) } else { None })
}

/// Whether these are the migrations of an unfinished copy of the store with the identity. Fails for a copy of
/// another store.
pub(super) fn resumes(done: &[Applied], of: &[u8]) -> Result<bool, Error> {
    match done.last() {
        Some((UNFINISHED, identity)) if identity != of => Err(Error::OtherCopy),
        last => Ok(last.is_some_and(|(number, _)| *number == UNFINISHED)),
    }
}

/// Fails unless an open store has exactly the migrations of this program: another version may have changed the tables.
pub(super) async fn fit(session: &Session) -> Result<(), Error> {
    let migrations = of(session.dialect());
    let (found, known) = (check(&applied(session).await?, migrations)?, number(migrations.len()));
    if found < known { Err(Error::Older { found, known }) } else { Ok(()) }
}

/// The statement that records an applied migration.
pub(super) fn note(number: i64, name: &str, checksum: Vec<u8>) -> Statement {
    let sql = "INSERT INTO schema_migrations (number, name, checksum, applied_on) VALUES ($1, $2, $3, $4)";
    Statement::new(sql, vec![number.into(), name.into(), Value::Bytes(checksum), Timestamp::now().into()])
}

/// The last applied migration. Each must be the same as in this program.
fn check(done: &[Applied], migrations: &[Migration]) -> Result<i64, Error> {
    let (found, known) = (done.last().map_or(0, |(found, _)| *found), number(migrations.len()));
    if found == UNFINISHED {
        return Err(Error::Unfinished);
    }
    if found > known {
        return Err(Error::Newer { found, known });
    }
    for (expected, (number, found)) in (1..).zip(done) {
        let is_ours = usize::try_from(expected - 1).ok().and_then(|at| migrations.get(at));
        if *number != expected || is_ours.is_none_or(|(_, sql)| checksum(sql) != *found) {
            return Err(Error::Altered(*number));
        }
    }
    Ok(found)
}

/// The statement that creates the table of applied migrations. A file or a schema with this table is a store.
fn table(dialect: Dialect) -> String {
    let (mark, number, bytes, end) = match dialect {
        Dialect::Sqlite => (format!("PRAGMA application_id = {APPLICATION};"), "INTEGER", "BLOB", "STRICT"),
        Dialect::Postgres => (String::new(), "bigint", "bytea", ""),
    };
    format!(
        "{mark} CREATE TABLE schema_migrations (
             number     {number} PRIMARY KEY,
             name       text NOT NULL,
             checksum   {bytes} NOT NULL,
             applied_on {number} NOT NULL
         ) {end}"
    )
}

/// Copies a database that has migration `found`, and returns the path.
fn copy_before(file: &Path, found: i64) -> Result<PathBuf, Error> {
    let moment = Timestamp::now().strftime("%Y%m%dT%H%M%S%.6fZ");
    let to = file.with_file_name(format!("store-of-migration-{found}-{moment}.sqlite"));
    match copy::copy(file, &to) {
        Ok(()) => Ok(to),
        Err(error) => Err(Error::NotCopied { file: to.display().to_string(), source: Box::new(error) }),
    }
}

/// Whether the file is ours, or the schema has our table of migrations. Other programs may have a table of
/// that name.
async fn is_store(session: &Session) -> Result<bool, Error> {
    match session.dialect() {
        Dialect::Sqlite => Ok(session.first("PRAGMA application_id").await? == Some(APPLICATION)),
        Dialect::Postgres => {
            // A role without rights on the table can read this too.
            let sql = "SELECT EXISTS (SELECT 1 FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
                       JOIN pg_namespace AS n ON n.oid = c.relnamespace
                       WHERE n.nspname = current_schema() AND c.relname = 'schema_migrations' AND a.attname = 'checksum')";
            Ok(session.first(sql).await? == Some(true))
        }
    }
}

/// Whether there are tables of another program.
async fn has_tables(session: &Session) -> Result<bool, Error> {
    let sql = match session.dialect() {
        Dialect::Sqlite => {
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema) OR EXISTS (
                 SELECT 1 FROM pragma_application_id WHERE application_id <> 0)"
        }
        Dialect::Postgres => {
            "SELECT EXISTS (SELECT 1 FROM information_schema.tables
                 WHERE table_schema = current_schema() AND table_type = 'BASE TABLE')"
        }
    };
    Ok(session.first(sql).await? == Some(true))
}

/// Whether the role of the session owns the tables.
async fn owns_tables(session: &Session) -> Result<bool, Error> {
    let sql = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'schema_migrations'::regclass";
    Ok(session.first(sql).await? == Some(true))
}

/// Grants a role to read and write rows, but not to change tables.
async fn grant(session: &Session, role: &str) -> Result<(), Error> {
    let sql = "SELECT format('GRANT USAGE ON SCHEMA %1$I TO %2$I;
                              GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %1$I TO %2$I;
                              REVOKE INSERT, UPDATE, DELETE ON %1$I.schema_migrations, %1$I.tenants FROM %2$I',
                             current_schema(), $1::text)";
    let grants: Option<String> = session.first(Statement::new(sql, values![role])).await?;
    session.batch(&grants.unwrap_or_default()).await
}

async fn applied(session: &Session) -> Result<Vec<Applied>, Error> {
    let sql = "SELECT number, checksum FROM schema_migrations ORDER BY number";
    let rows = session.rows(sql).await?;
    rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect()
}

/// Whether another process has created the same tables, or blocks the migration.
fn is_conflict(error: &Error) -> bool {
    error.violation() == Some(Violation::Key) || matches!(error.code(), Some("42P07" | "40001" | "40P01"))
}

/// The checksum that distinguishes migrations of the same number.
fn checksum(sql: &str) -> Vec<u8> {
    Sha256::digest(sql.as_bytes()).to_vec()
}

/// The number of the last of `count` migrations.
fn number(count: usize) -> i64 {
    count.cast_signed() as i64
}

#[cfg(test)]
mod tests;
