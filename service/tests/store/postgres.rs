//! On a database of its own.

#[path = "agents.rs"]
mod agents;
#[path = "concurrency.rs"]
mod concurrency;
#[path = "contents.rs"]
mod contents;
#[path = "lists.rs"]
mod lists;
#[path = "tokens.rs"]
mod tokens;
#[path = "work.rs"]
mod work;

use std::time::Duration;

use futures_util::future::join_all;
use service::{
    config::Bounds,
    domain::{
        list::{ListQuery, Window},
        token::NewToken,
    },
    store::transfer::Transfer,
};

use super::*;

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
    assert!(matches!(Store::open(location(), &Options::default()), Err(service::store::Error::Older { .. })));
}

#[test]
fn a_page_far_behind_is_read_although_the_server_has_not_looked_at_the_table() {
    let database = tests_postgres::database();
    let bounds = Bounds { read: Duration::from_secs(2), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
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

/// The number of statements that wait for a lock.
fn waiting(url: &str) -> u32 {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    tests_postgres::execute(url, sql).trim().parse().unwrap()
}

#[test]
fn requests_with_the_same_token_that_come_at_once_look_it_up_once() {
    let owner = tests_postgres::database();
    let case = Case::open((tempfile::tempdir().unwrap(), Location::Postgres(owner.clone())));
    let new = NewToken { name: "key".into(), ..NewToken::default() };
    let (_, secret) = run(case.tenant.create_token(new)).unwrap();
    let held = tests_postgres::hold(&owner, "LOCK TABLE tokens");
    let found = run(async {
        let asked = tokio::spawn(join_all((0..20).map(|_| {
            let (store, hash) = (case.store.clone(), secret.hash());
            async move { store.token(hash).await }
        })));
        while waiting(&owner) == 0 {}
        // The others have been asked for at the same time, and find that it is.
        assert!((0..10).all(|_| waiting(&owner) == 1));
        drop(held);
        asked.await.unwrap()
    });
    assert!(found.iter().all(|token| matches!(token, Ok(Some(_)))), "{found:?}");
}

#[test]
fn a_token_is_found_while_a_read_has_the_only_connection_of_callers() {
    let owner = tests_postgres::database();
    let mut case = Case::open((tempfile::tempdir().unwrap(), Location::Postgres(owner.clone())));
    let (_, secret) = run(case.tenant.create_token(NewToken { name: "key".into(), ..NewToken::default() })).unwrap();
    let bounds = Bounds { read: Duration::from_hours(1), ..Bounds::default() };
    let options = Options { connections: 2, bounds, ..Options::default() };
    case.store = Store::open(case.location.clone(), &options).unwrap();
    let tenant = case.store.tenant(TenantId::FIRST).acting_for(actor());
    let held = tests_postgres::hold(&owner, "LOCK TABLE accounts");
    run(async {
        let read = tokio::spawn(async move { tenant.account_summary(1).await });
        while waiting(&owner) == 0 {}
        assert!(case.store.token(secret.hash()).await.unwrap().is_some());
        drop(held);
        assert!(read.await.unwrap().unwrap().is_none());
    });
}

#[test]
fn every_table_of_tenants_has_its_fence() {
    let url = tests_postgres::database();
    drop(Store::open(Location::Postgres(url.clone()), &Options::default()).unwrap());
    let sql = "SELECT string_agg(c.table_name, ' ') FROM information_schema.columns AS c
               JOIN pg_tables AS t ON t.schemaname = c.table_schema AND t.tablename = c.table_name
               WHERE c.table_schema = 'public' AND c.column_name = 'tenant_id' AND (NOT t.rowsecurity OR NOT EXISTS (
                   SELECT FROM pg_policies AS p WHERE p.tablename = c.table_name AND p.policyname = 'of_tenant'))";
    assert_eq!(tests_postgres::execute(&url, sql).trim(), "");
}

#[test]
fn what_is_written_while_a_copy_is_made_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let url = tests_postgres::database();
    let (from, options) = (Location::Postgres(url.clone()), Options::default());
    Store::open(from.clone(), &options).unwrap().close();
    let to = Location::Sqlite(folder.path().join("store.sqlite"));
    for is_written in [true, false] {
        let transfer = run(Transfer::open((&from, &options), (&to, &options))).unwrap();
        run(transfer.copy(&())).unwrap();
        if is_written {
            // This insert adds no change and takes no number.
            tests_postgres::execute(&url, "INSERT INTO roles (tenant_id, id, name) VALUES (1, 77, 'Late')");
            let refused = run(transfer.finish(&())).unwrap_err().to_string();
            assert!(refused.contains("`roles`"), "{refused}");
        } else {
            assert!(run(transfer.finish(&())).unwrap().iter().any(|copied| copied.rows == 1));
        }
    }
    Store::open(to, &options).unwrap().close();
}
