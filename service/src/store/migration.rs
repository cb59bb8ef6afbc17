//! Brings the tables of a database up to date: numbered files, forward only, each checked against what was run.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::{
    Error, Options,
    direct::Direct,
    error::Violation,
    session::Session,
    sqlite::copy,
    statement::{Dialect, Statement, first},
    value::{Value, values},
};
use crate::domain::tenant::TenantId;

/// A migration: its name and its statements. Its number is its position, from 1.
pub(super) type Migration = (&'static str, &'static str);

macro_rules! migrations {
    ($folder:literal: $($name:literal),*) => {
        &[$(($name, include_str!(concat!("../../migrations/", $folder, "/", $name, ".sql")))),*]
    };
}

const SQLITE: &[Migration] = migrations!["sqlite": "0001_tables", "0002_views"];
const POSTGRES: &[Migration] = migrations!["postgres": "0001_tables", "0002_views"];

/// Row-level security for every table with a tenant. It is run after the migrations, so that no new table misses it.
const FENCE: &str = include_str!("../../migrations/postgres/fence.sql");

/// In the head of every file of ours: "bms1".
const APPLICATION: i64 = 0x626d_7331;

/// In place of a number where a store is the unfinished copy of another one; the checksum is the identity of that one then.
pub(super) const UNFINISHED: i64 = i64::MAX;

/// How often it is tried when another process makes the same tables.
const ATTEMPTS: u32 = 10;

/// Number and checksum of a migration that was run.
pub(super) type Applied = (i64, Vec<u8>);

/// What a store that was brought up to date had before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// The last migration it had.
    pub from: i64,
    /// The last one it has now.
    pub to: i64,
    /// A copy of the store as it was.
    pub copy: PathBuf,
}

/// What opening a store has done.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// There was nothing before.
    pub(super) is_new: bool,
    /// It was of an older program, and a file of which a copy is kept.
    pub(super) migrated: Option<Migrated>,
}

/// The migrations of a kind of database.
pub(super) fn of(dialect: Dialect) -> &'static [Migration] {
    match dialect {
        Dialect::Sqlite => SQLITE,
        Dialect::Postgres => POSTGRES,
    }
}

/// Runs what is missing, in one transaction; another process that comes at the same time waits, and finds it done. Of a file that has
/// something already a copy is kept. `role`, which does not own the tables, may read and write them from then on.
pub(super) async fn migrate(direct: &Direct, options: &Options, role: Option<&str>) -> Result<Outcome, Error> {
    let migrations = match direct {
        Direct::Sqlite { .. } => SQLITE,
        Direct::Postgres(_) => POSTGRES,
    };
    run(direct, options, role, migrations).await
}

async fn run(
    direct: &Direct,
    options: &Options,
    role: Option<&str>,
    migrations: &[Migration],
) -> Result<Outcome, Error> {
    let mut attempt = 1;
    loop {
        let mut copy = None;
        let run = async |session: &Session| bring(direct, session, options, role, migrations, &mut copy).await;
        let result = direct.write(run).await;
        match result {
            Err(error) if attempt < ATTEMPTS && is_conflict(&error) => attempt += 1,
            result => {
                if let (Err(_), Some(copy)) = (&result, copy) {
                    // The store is as it was. A service that is started again and again must not fill the disk with copies of it.
                    let _ = std::fs::remove_file(copy);
                }
                return result;
            }
        }
    }
}

/// Brings a database up to date in an open transaction. The path of the copy that is kept is in `copy`.
async fn bring(
    direct: &Direct,
    session: &Session,
    options: &Options,
    role: Option<&str>,
    migrations: &[Migration],
    copy: &mut Option<PathBuf>,
) -> Result<Outcome, Error> {
    let (dialect, known) = (session.dialect(), number(migrations.len()));
    if !is_store(session).await? {
        if !options.makes {
            return Err(Error::NoStore);
        }
        if has_tables(session).await? {
            return Err(direct.foreign());
        }
        // Of two that make it at the same time one fails, and finds it there when it tries again.
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
        // No other process writes while the transaction is open: the copy is what the migrations begin with.
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

/// The last migration of a database, and the last one that is known; fails when it is not ours, or newer.
pub(super) async fn state(direct: &Direct, session: &Session) -> Result<(i64, i64), Error> {
    let migrations = of(session.dialect());
    match done(session).await? {
        Some(applied) => Ok((check(&applied, migrations)?, number(migrations.len()))),
        None if session.dialect() == Dialect::Postgres => Err(Error::NoStore),
        None => Err(direct.foreign()),
    }
}

/// Fails unless a database has the migrations that are known, and no others.
pub(super) async fn ensure_current(direct: &Direct, session: &Session) -> Result<(), Error> {
    let (found, known) = state(direct, session).await?;
    if found < known { Err(Error::Older { found, known }) } else { Ok(()) }
}

/// The migrations that have been run; `None` when there is no store.
pub(super) async fn done(session: &Session) -> Result<Option<Vec<Applied>>, Error> {
    Ok(if is_store(session).await? { Some(applied(session).await?) } else { None })
}

/// Whether these are of an unfinished copy of the store with that identity. Fails when it is one of another store.
pub(super) fn resumes(done: &[Applied], of: &[u8]) -> Result<bool, Error> {
    match done.last() {
        Some((UNFINISHED, identity)) if identity != of => Err(Error::OtherCopy),
        last => Ok(last.is_some_and(|(number, _)| *number == UNFINISHED)),
    }
}

/// Fails unless `found` is the last migration of those that are known: another program may have changed the tables.
pub(super) fn fit(found: i64, migrations: &[Migration]) -> Result<(), Error> {
    let known = number(migrations.len());
    match found.cmp(&known) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater if found == UNFINISHED => Err(Error::Unfinished),
        std::cmp::Ordering::Greater => Err(Error::Newer { found, known }),
        std::cmp::Ordering::Less => Err(Error::Damaged(format!("the store is back at migration {found} of {known}"))),
    }
}

/// The statement that notes what was run.
pub(super) fn note(number: i64, name: &str, checksum: Vec<u8>) -> Statement {
    let sql = "INSERT INTO schema_migrations (number, name, checksum, applied_on) VALUES ($1, $2, $3, $4)";
    Statement::new(sql, vec![number.into(), name.into(), Value::Bytes(checksum), Timestamp::now().into()])
}

/// The last of the migrations that have been run, each of which must be the one that is known.
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

/// Makes the table that notes which migrations have been run. A store is a file, or a schema, with this table.
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

/// Keeps a copy of a database that has migration `found`, and says where.
fn copy_before(file: &Path, found: i64) -> Result<PathBuf, Error> {
    let moment = Timestamp::now().strftime("%Y%m%dT%H%M%S%.6fZ");
    let to = file.with_file_name(format!("store-of-migration-{found}-{moment}.sqlite"));
    match copy::copy(file, &to) {
        Ok(()) => Ok(to),
        Err(error) => Err(Error::NotCopied { file: to.display().to_string(), source: Box::new(error) }),
    }
}

/// Whether the file is one of ours, or the schema has the table that notes our migrations; others have one of that name, too.
async fn is_store(session: &Session) -> Result<bool, Error> {
    match session.dialect() {
        Dialect::Sqlite => Ok(ask::<i64>(session, "PRAGMA application_id").await? == Some(APPLICATION)),
        Dialect::Postgres => {
            // The server shows it also to a role that may not read the table.
            let sql = "SELECT EXISTS (SELECT 1 FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
                       JOIN pg_namespace AS n ON n.oid = c.relnamespace
                       WHERE n.nspname = current_schema() AND c.relname = 'schema_migrations' AND a.attname = 'checksum')";
            Ok(ask(session, sql).await? == Some(true))
        }
    }
}

/// Whether there is something of another program.
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
    Ok(ask(session, sql).await? == Some(true))
}

/// Whether the tables are those of the role that asks.
async fn owns_tables(session: &Session) -> Result<bool, Error> {
    let sql = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'schema_migrations'::regclass";
    Ok(ask(session, sql).await? == Some(true))
}

/// Lets a role read and write, and change no tables.
async fn grant(session: &Session, role: &str) -> Result<(), Error> {
    let sql = "SELECT format('GRANT USAGE ON SCHEMA %1$I TO %2$I;
                              GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %1$I TO %2$I;
                              REVOKE INSERT, UPDATE, DELETE ON %1$I.schema_migrations, %1$I.tenants FROM %2$I',
                             current_schema(), $1::text)";
    let grants: Option<String> = first(&session.rows(Statement::new(sql, values![role])).await?)?;
    session.batch(&grants.unwrap_or_default()).await
}

async fn applied(session: &Session) -> Result<Vec<Applied>, Error> {
    let sql = "SELECT number, checksum FROM schema_migrations ORDER BY number";
    let rows = session.rows(Statement::new(sql, Vec::new())).await?;
    rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect()
}

async fn ask<T: super::value::FromValue>(session: &Session, sql: &'static str) -> Result<Option<T>, Error> {
    first(&session.rows(Statement::new(sql, Vec::new())).await?)
}

/// Whether another process has made the same tables meanwhile, or is in the way.
fn is_conflict(error: &Error) -> bool {
    let Error::Database(source) = error else { return false };
    let code = source.downcast_ref::<tokio_postgres::Error>().and_then(tokio_postgres::Error::code);
    error.violation() == Some(Violation::Key)
        || code.is_some_and(|code| matches!(code.code(), "42P07" | "40001" | "40P01"))
}

/// What tells a migration from another one under its number.
fn checksum(sql: &str) -> Vec<u8> {
    Sha256::digest(sql.as_bytes()).to_vec()
}

/// The number of the last of `count` migrations.
fn number(count: usize) -> i64 {
    count.cast_signed() as i64
}

#[cfg(test)]
mod tests;
