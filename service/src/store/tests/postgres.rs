//! On a database of its own.

#[path = "accounts.rs"]
mod accounts;
#[path = "agents.rs"]
mod agents;
#[path = "concurrency.rs"]
mod concurrency;
#[path = "others.rs"]
mod others;
#[path = "work.rs"]
mod work;

use super::*;
use crate::domain::list::{ListQuery, Window};

/// A hash, in SQL.
const HASH: &str = r"'\x01'";

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

#[test]
fn a_page_far_behind_is_read_although_the_server_has_not_looked_at_the_table() {
    let database = tests_postgres::database();
    let mut options = Options::default();
    options.long_reads.time = std::time::Duration::from_secs(2);
    let store = Store::open(Location::Postgres(database.clone()), &options).unwrap();
    let tenant = store.tenant(TenantId::FIRST);
    tests_postgres::execute(
        &database,
        "ALTER TABLE attachments SET (autovacuum_enabled = false);
         INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on) VALUES (1, '\\x00', '0', 1, 'text/plain', 0);
         INSERT INTO attachments (tenant_id, module_id, object_id, id, original_file_name, original_file_name_folded,
             alias_name, created_on, hash)
         SELECT 1, 1, 1, id, 'a', 'a', id, 0, '\\x00' FROM generate_series(1, 9000) AS id",
    );
    let query = ListQuery { window: Window { offset: 8000, limit: Some(1000), after: None }, ..ListQuery::default() };
    let page = run(tenant.attachments(1, 1, query)).unwrap();
    assert_eq!((page.records.len(), page.total), (1000, 9000));
}
