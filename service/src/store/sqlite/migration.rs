//! Brings the tables of a database up to date: numbered files, forward only, each checked against what was run.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{copy, inspect};
use crate::store::{
    Error, Migrated,
    migration::{Migration, check, checksum, number},
};

/// In the head of every file of ours: "bms1".
const APPLICATION: i64 = 0x626d_7331;

macro_rules! migrations {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../migrations/sqlite/", $name, ".sql")))),*]
    };
}

pub(in crate::store) const MIGRATIONS: &[Migration] = migrations!["0001_tables", "0002_views"];

/// What a database was before it was brought up to date.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// It had no tables.
    Nothing,
    /// It had the tables of an older program.
    Older(Migrated),
    /// It was up to date.
    Current,
}

/// Runs what is missing, in one transaction; of a database that has something already a copy is kept before, beside it.
pub(super) fn migrate(connection: &mut Connection, file: &Path, may_migrate: bool) -> Result<Before, Error> {
    run(connection, file, may_migrate, MIGRATIONS)
}

/// The last migration of a database, and the last one that is known; fails when it is not ours, or newer.
pub(in crate::store) fn state(connection: &Connection, file: &Path) -> Result<(i64, i64), Error> {
    let application: i64 = connection.query_row("PRAGMA application_id", (), |row| row.get(0))?;
    if application != APPLICATION {
        return Err(Error::Foreign(file.display().to_string()));
    }
    let found = check(&applied(connection)?, MIGRATIONS)?;
    Ok((found, number(MIGRATIONS.len())))
}

fn run(connection: &mut Connection, file: &Path, may_migrate: bool, migrations: &[Migration]) -> Result<Before, Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let is_new = prepare(&transaction, file)?;
    let found = check(&applied(&transaction)?, migrations)?;
    let known = number(migrations.len());
    if found == known {
        return Ok(Before::Current);
    }
    if is_new {
        bring(transaction, found, migrations)?;
        return Ok(Before::Nothing);
    }
    if !may_migrate {
        return Err(Error::Older { found, known });
    }
    // Nobody writes while the transaction is open: the copy is what the migrations begin with.
    let copy = copy_before(file, found)?;
    match bring(transaction, found, migrations) {
        Ok(()) => Ok(Before::Older(Migrated { from: found, to: known, copy })),
        Err(error) => {
            // The store is as it was. A service that is started again and again must not fill the disk with copies of it.
            let _ = std::fs::remove_file(copy);
            Err(error)
        }
    }
}

/// Runs the migrations behind `found` and commits.
fn bring(transaction: Transaction<'_>, found: i64, migrations: &[Migration]) -> Result<(), Error> {
    for (number, (name, sql)) in (1..).zip(migrations).filter(|(number, _)| *number > found) {
        transaction.execute_batch(sql)?;
        transaction.execute(
            "INSERT INTO schema_migrations (number, name, checksum, applied_on) VALUES (?1, ?2, ?3, ?4)",
            (number, name, checksum(sql), Timestamp::now().as_microsecond()),
        )?;
    }
    if let Some((from, to, count)) = inspect::foreign_keys(&transaction)?.first() {
        let text = format!("{count} records of {from} refer to records of {to} that are not there");
        return Err(Error::Damaged(format!("the store has not been brought up to date: {text}")));
    }
    Ok(transaction.commit()?)
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

/// Whether the database is one of ours.
pub(super) fn has_migrations(connection: &Connection) -> Result<bool, Error> {
    let application: i64 = connection.query_row("PRAGMA application_id", (), |row| row.get(0))?;
    Ok(application == APPLICATION)
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

/// Number and checksum of those that have been run.
pub(super) fn applied(connection: &Connection) -> Result<Vec<(i64, Vec<u8>)>, Error> {
    let mut statement = connection.prepare("SELECT number, checksum FROM schema_migrations ORDER BY number")?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{super::connection, *};

    const FIRST: Migration = ("0001_a", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;");
    const SECOND: Migration = ("0002_b", "CREATE TABLE b (id INTEGER PRIMARY KEY) STRICT; INSERT INTO b VALUES (1);");

    /// A database in a folder of its own.
    struct Case {
        folder: tempfile::TempDir,
        connection: Connection,
    }

    impl Case {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let connection = connection::writing(&folder.path().join("test.sqlite"), Duration::from_secs(1)).unwrap();
            Self { folder, connection }
        }

        fn run(&mut self, migrations: &[Migration]) -> Result<Before, Error> {
            run(&mut self.connection, &self.folder.path().join("test.sqlite"), true, migrations)
        }

        fn copies(&self) -> usize {
            let names = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
            names.filter(|name| name.to_string_lossy().starts_with("store-of-migration-")).count()
        }
    }

    fn tables(connection: &Connection) -> Vec<String> {
        let mut names = connection.prepare("SELECT name FROM sqlite_schema WHERE name <> 'schema_migrations'").unwrap();
        names.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn each_migration_runs_once_and_keeps_what_was_before() {
        let mut case = Case::new();
        assert_eq!(case.run(&[FIRST]).unwrap(), Before::Nothing);
        assert_eq!((case.run(&[FIRST]).unwrap(), case.copies()), (Before::Current, 0));
        let Before::Older(migrated) = case.run(&[FIRST, SECOND]).unwrap() else { panic!("it was older") };
        assert_eq!((migrated.from, migrated.to), (1, 2));
        assert_eq!(tables(&Connection::open(&migrated.copy).unwrap()), ["a"]);
        assert_eq!(tables(&case.connection), ["a", "b"]);
        assert_eq!((case.run(&[FIRST, SECOND]).unwrap(), case.copies()), (Before::Current, 1));
    }

    #[test]
    fn an_older_database_is_left_alone_when_it_is_not_to_be_changed() {
        let mut case = Case::new();
        case.run(&[FIRST]).unwrap();
        let file = case.folder.path().join("test.sqlite");
        let refused = run(&mut case.connection, &file, false, &[FIRST, SECOND]);
        assert!(matches!(refused, Err(Error::Older { found: 1, known: 2 })));
        assert_eq!((tables(&case.connection), case.copies()), (vec!["a".to_owned()], 0));
    }

    #[test]
    fn a_newer_or_altered_database_is_left_alone() {
        let mut case = Case::new();
        case.run(&[FIRST, SECOND]).unwrap();
        assert!(matches!(case.run(&[FIRST]), Err(Error::Newer { found: 2, known: 1 })));
        assert!(matches!(case.run(&[("0001_a", ""), SECOND]), Err(Error::Altered(1))));
        assert_eq!(case.copies(), 0);
    }

    #[test]
    fn a_migration_that_fails_leaves_nothing() {
        let mut case = Case::new();
        assert!(case.run(&[FIRST, ("0002_b", "CREATE TABLE a (id) STRICT;")]).is_err());
        assert!(tables(&case.connection).is_empty());
        case.run(&[FIRST]).unwrap();
        let orphan =
            "CREATE TABLE c (a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED) STRICT; INSERT INTO c VALUES (7);";
        for sql in ["CREATE TABLE a (id) STRICT;", orphan] {
            assert!(case.run(&[FIRST, ("0002_b", sql)]).is_err());
            assert_eq!((tables(&case.connection), case.copies()), (vec!["a".to_owned()], 0), "{sql}");
        }
    }

    #[test]
    fn a_database_of_others_is_left_alone() {
        let mut case = Case::new();
        case.connection.execute_batch("CREATE TABLE theirs (id)").unwrap();
        assert!(matches!(case.run(&[FIRST]), Err(Error::Foreign(_))));
    }
}
