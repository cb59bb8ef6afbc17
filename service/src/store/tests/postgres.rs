//! On a database of its own.

#[path = "accounts.rs"]
mod accounts;
#[path = "agents.rs"]
mod agents;
#[path = "concurrency.rs"]
mod concurrency;
#[path = "others.rs"]
mod others;

use super::*;

/// A place for a store; the folder is not used.
fn place() -> (TempDir, Location) {
    (tempfile::tempdir().unwrap(), Location::Postgres(tests_postgres::database()))
}

#[test]
fn only_the_owner_changes_tables() {
    let owner = tests_postgres::database();
    let location = || Location::Postgres(tests_postgres::for_service(&owner));
    assert!(Store::open(location(), &Options::default()).is_err(), "the role may not make tables");
    let options = Options { owner: Some(owner.clone()), ..Options::default() };
    assert!(Store::open(location(), &options).unwrap().is_new());
    assert!(!Store::open(location(), &Options::default()).unwrap().is_new());
    tests_postgres::execute(&owner, "DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)");
    assert!(matches!(Store::open(location(), &Options::default()), Err(crate::store::Error::Older { .. })));
}
