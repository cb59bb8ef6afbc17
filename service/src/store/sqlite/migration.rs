//! Brings the tables of a database up to date: numbered files, forward only, each checked against what was run.

use std::{cmp::Ordering, path::Path};

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior};
use sha2::{Digest, Sha256};

use crate::store::Error;

/// In the head of every file of ours: "bms1".
const APPLICATION: i64 = 0x626d_7331;

/// A migration: what it is called and what it runs. Its number is its position, from 1.
type Migration = (&'static str, &'static str);

macro_rules! migrations {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../migrations/sqlite/", $name, ".sql")))),*]
    };
}

const MIGRATIONS: &[Migration] = migrations![
    "0001_tenants_and_tokens",
    "0002_reference_data",
    "0003_accounts",
    "0004_contacts",
    "0005_attachments",
    "0006_jobs",
    "0007_agents",
    "0008_scans",
    "0009_audit_and_idempotency",
];

/// Runs what is missing, in one transaction. True when there was nothing before.
pub(super) fn migrate(connection: &mut Connection, file: &Path) -> Result<bool, Error> {
    run(connection, file, MIGRATIONS)
}

/// Whether the database has the migrations that this program knows, and no others: another one may have changed it.
pub(in crate::store) fn fit(connection: &Connection) -> Result<(), Error> {
    let sql = "SELECT coalesce(max(number), 0) FROM schema_migrations";
    let found: i64 = connection.prepare_cached(sql)?.query_row((), |row| row.get(0))?;
    let known = MIGRATIONS.len().cast_signed() as i64;
    match found.cmp(&known) {
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(Error::Newer { found, known }),
        Ordering::Less => Err(Error::Damaged(format!("the store is back at migration {found} of {known}"))),
    }
}

fn run(connection: &mut Connection, file: &Path, migrations: &[Migration]) -> Result<bool, Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let is_new = prepare(&transaction, file)?;
    let done = applied(&transaction)?;
    let known = migrations.len().cast_signed() as i64;
    if let Some((found, _)) = done.last().filter(|(found, _)| *found > known) {
        return Err(Error::Newer { found: *found, known });
    }

    for (number, (name, sql)) in (1..).zip(migrations) {
        let checksum = Sha256::digest(sql.as_bytes()).to_vec();
        match done.iter().find(|(found, _)| *found == number) {
            Some((_, found)) if *found == checksum => {}
            Some(_) => return Err(Error::Altered(number)),
            None => {
                transaction.execute_batch(sql)?;
                transaction.execute(
                    "INSERT INTO schema_migrations (number, name, checksum, applied_on) VALUES (?1, ?2, ?3, ?4)",
                    (number, name, checksum, Timestamp::now().as_microsecond()),
                )?;
            }
        }
    }
    transaction.commit()?;
    Ok(is_new)
}

/// Makes the table that remembers migrations. True when the database was empty.
fn prepare(connection: &Connection, file: &Path) -> Result<bool, Error> {
    let application: i64 = connection.query_row("PRAGMA application_id", (), |row| row.get(0))?;
    if application == APPLICATION {
        return Ok(false);
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    if application != 0 || tables != 0 {
        return Err(Error::Foreign(file.display().to_string()));
    }
    connection.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION};
         CREATE TABLE schema_migrations (
             number     INTEGER PRIMARY KEY,
             name       TEXT NOT NULL,
             checksum   BLOB NOT NULL,
             applied_on INTEGER NOT NULL
         ) STRICT;"
    ))?;
    Ok(true)
}

fn applied(connection: &Connection) -> Result<Vec<(i64, Vec<u8>)>, Error> {
    let mut statement = connection.prepare("SELECT number, checksum FROM schema_migrations ORDER BY number")?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use rusqlite::OptionalExtension;

    use super::*;

    const FIRST: Migration = ("0001_a", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;");
    const SECOND: Migration = ("0002_b", "CREATE TABLE b (id INTEGER PRIMARY KEY) STRICT;");

    fn migrated(connection: &mut Connection, migrations: &[Migration]) -> Result<bool, Error> {
        run(connection, Path::new("test.db"), migrations)
    }

    #[test]
    fn each_migration_runs_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert!(migrated(&mut connection, &[FIRST]).unwrap());
        assert!(!migrated(&mut connection, &[FIRST, SECOND]).unwrap());
        assert!(!migrated(&mut connection, &[FIRST, SECOND]).unwrap());
        assert_eq!(applied(&connection).unwrap().len(), 2);
    }

    #[test]
    fn a_newer_or_altered_database_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrated(&mut connection, &[FIRST, SECOND]).unwrap();
        assert!(matches!(migrated(&mut connection, &[FIRST]), Err(Error::Newer { found: 2, known: 1 })));
        assert!(matches!(migrated(&mut connection, &[("0001_a", ""), SECOND]), Err(Error::Altered(1))));
    }

    #[test]
    fn a_migration_that_fails_leaves_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert!(migrated(&mut connection, &[FIRST, ("0002_b", "CREATE TABLE a (id) STRICT;")]).is_err());
        let tables: Option<String> =
            connection.query_row("SELECT name FROM sqlite_schema", (), |row| row.get(0)).optional().unwrap();
        assert_eq!(tables, None);
    }

    #[test]
    fn a_database_of_others_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE theirs (id)").unwrap();
        assert!(matches!(migrated(&mut connection, &[FIRST]), Err(Error::Foreign(_))));
    }
}
