//! Migrations of a store of each kind, from nothing and from an older one.

use super::*;
use crate::store::{Location, direct};

const FIRST: Migration =
    ("0001_a", "CREATE TABLE a (id integer PRIMARY KEY); CREATE TABLE tenants (id integer, name text)");
const SECOND: Migration = ("0002_b", "CREATE TABLE b (id integer PRIMARY KEY); INSERT INTO b VALUES (1)");

/// Brings a store so far.
fn bring_to(location: &Location, options: &Options, migrations: &[Migration]) -> Result<Outcome, Error> {
    direct::wait(async || run(&Direct::writing(location, options)?, options, migrations).await)
}

/// The tables, in the order of their names.
fn tables(location: &Location) -> Vec<String> {
    let sql = match location {
        Location::Sqlite(_) => "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
        Location::Postgres(_) => "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
    };
    let names = direct::wait(async || {
        let session = Direct::reading(location, &Options::default())?.look().await?;
        session.texts(sql).await
    });
    let mut names = names.unwrap();
    names.retain(|name| !["schema_migrations", "tenants"].contains(&&**name));
    names
}

fn each_migration_runs_once(location: &Location) {
    let options = Options::default();
    assert!(bring_to(location, &options, &[FIRST]).unwrap().is_new);
    assert_eq!(bring_to(location, &options, &[FIRST]).unwrap(), Outcome::default());
    let migrated = bring_to(location, &options, &[FIRST, SECOND]).unwrap().migrated;
    assert_eq!(bring_to(location, &options, &[FIRST, SECOND]).unwrap(), Outcome::default());
    assert_eq!(tables(location), ["a", "b"]);
    if let Location::Sqlite(file) = location {
        let migrated = migrated.unwrap();
        assert_eq!((migrated.from, migrated.to), (1, 2));
        assert_eq!(tables(&Location::Sqlite(migrated.copy)), ["a"], "the copy is of the state before");
        assert_eq!(copies(file), 1);
    }
}

fn what_does_not_fit_is_left_alone(location: &Location) {
    let options = Options::default();
    bring_to(location, &options, &[FIRST]).unwrap();
    let careful = Options { migrates: false, ..Options::default() };
    let refused = bring_to(location, &careful, &[FIRST, SECOND]);
    assert!(matches!(refused, Err(Error::Older { found: 1, known: 2 })), "{refused:?}");
    assert_eq!(tables(location), ["a"]);
    bring_to(location, &options, &[FIRST, SECOND]).unwrap();
    assert!(matches!(bring_to(location, &options, &[FIRST]), Err(Error::Newer { found: 2, known: 1 })));
    assert!(matches!(bring_to(location, &options, &[("0001_a", ""), SECOND]), Err(Error::Altered(1))));
}

fn a_migration_that_fails_leaves_nothing(location: &Location) {
    let options = Options::default();
    assert!(bring_to(location, &options, &[FIRST, ("0002_b", "CREATE TABLE a (id integer)")]).is_err());
    assert!(tables(location).is_empty());
    bring_to(location, &options, &[FIRST]).unwrap();
    let orphan = "CREATE TABLE c (a integer REFERENCES a DEFERRABLE INITIALLY DEFERRED); INSERT INTO c VALUES (7)";
    for sql in ["CREATE TABLE b (id integer); CREATE TABLE a (id integer)", orphan] {
        assert!(bring_to(location, &options, &[FIRST, ("0002_b", sql)]).is_err());
        assert_eq!(tables(location), ["a"], "{sql}");
        if let Location::Sqlite(file) = location {
            assert_eq!(copies(file), 0);
        }
    }
}

fn ten_that_start_at_once_bring_it_up_to_date_once(location: &Location) {
    let options = Options::default();
    bring_to(location, &options, &[FIRST]).unwrap();
    let start = std::sync::Barrier::new(10);
    let bring = || {
        start.wait();
        bring_to(location, &options, &[FIRST, SECOND])
    };
    let brought: Vec<_> = std::thread::scope(|threads| {
        let bringing: Vec<_> = (0..10).map(|_| threads.spawn(bring)).collect();
        bringing.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(brought.iter().all(|brought| matches!(brought, Ok(Outcome { is_new: false, .. }))), "{brought:?}");
    assert_eq!(tables(location), ["a", "b"]);
}

/// Copies that are kept next to a file.
fn copies(file: &Path) -> usize {
    let names = std::fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with("store-of-migration-")).count()
}

const CASES: [fn(&Location); 4] = [
    each_migration_runs_once,
    what_does_not_fit_is_left_alone,
    a_migration_that_fails_leaves_nothing,
    ten_that_start_at_once_bring_it_up_to_date_once,
];

#[test]
fn a_file_is_brought_up_to_date() {
    for case in CASES {
        let folder = tempfile::tempdir().unwrap();
        case(&Location::Sqlite(folder.path().join("store.db")));
    }
}

tests_postgres::with_postgres! {
    #[test]
    fn a_schema_is_brought_up_to_date() {
        for case in CASES {
            case(&Location::Postgres(tests_postgres::database()));
        }
    }
}
