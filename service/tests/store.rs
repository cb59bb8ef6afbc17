//! The store through its public interface, on each kind of database. What callers of the service see is tested in `tests/e2e`.

#![allow(clippy::duplicate_mod, reason = "the same tests run on each kind of database")]

#[path = "store/sqlite.rs"]
mod sqlite;
tests_postgres::with_postgres! {
    #[path = "store/postgres.rs"]
    mod postgres;
}

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use generated_server::{
    models::{AccountPost, AccountPut},
    runtime::json,
};
use service::{
    domain::{caller::Actor, tenant::TenantId},
    import,
    store::{AccountChange, Location, Options, Store, TenantStore, record::Record, resource::ACCOUNTS},
};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A store with some records of each kind that the interface only reads.
struct Case {
    _folder: TempDir,
    location: Location,
    store: Store,
    /// The first tenant, for a token of assignee 7.
    tenant: TenantStore,
}

impl Case {
    fn open((folder, location): (TempDir, Location)) -> Self {
        let store = Store::open(location.clone(), &Options::default()).unwrap();
        let tenant = store.tenant(TenantId::FIRST);
        let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/reference_data.json");
        import::run(&tenant, &[records], None, &()).unwrap();
        Self { _folder: folder, location, store, tenant: tenant.acting_for(actor()) }
    }

    /// The runs of scans, newest first: the number of the occurrence and of missing patches, and whether it was scanned.
    fn runs(&self) -> String {
        let run = "occurrence || ':' || missing || CASE WHEN scanned THEN ' scanned' ELSE '' END";
        let runs = format!("SELECT {run} AS run FROM scan_runs ORDER BY schedule DESC, occurrence DESC");
        value(&self.location, &format!("SELECT coalesce(string_agg(run, ', '), '') FROM ({runs}) AS runs"))
    }

    /// Runs SQL that no operation has.
    fn execute(&self, sql: &str) {
        execute(&self.location, sql);
    }
}

/// The value that a query finds.
fn value(location: &Location, sql: &str) -> String {
    match location {
        Location::Sqlite(file) => {
            rusqlite::Connection::open(file).unwrap().query_row(sql, (), |row| row.get(0)).unwrap()
        }
        Location::Postgres(url) => tests_postgres::execute(url, sql).trim().to_owned(),
    }
}

/// Runs SQL on a database.
fn execute(location: &Location, sql: &str) {
    match location {
        Location::Sqlite(file) => rusqlite::Connection::open(file).unwrap().execute_batch(sql).unwrap(),
        // PostgreSQL writes bytes differently.
        Location::Postgres(url) => drop(tests_postgres::execute(url, &sql.replace(" x'", " '\\x"))),
    }
}

fn actor() -> Actor {
    Actor { token: Some((1, "test".into())), assignee: Some(7), operation: "Test" }
}

/// A new account of that name without locations.
fn new_account(name: &str) -> Record {
    record(&post(name))
}

fn record(post: &AccountPost) -> Record {
    Record::of_body(&ACCOUNTS, post, Vec::new()).unwrap()
}

/// The body for an account of that name without locations.
fn post(name: &str) -> AccountPost {
    let body = serde_json::json!({
        "AccountName": name, "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 7,
        "Locations": [{ "LocationName": "Main", "IsMain": true, "Addresses": [{}] }],
    });
    let account: AccountPost = json::from_slice(body.to_string().as_bytes()).unwrap();
    AccountPost { locations: Vec::new(), ..account }
}

/// The replacement of an account by one of that name.
fn replaced(name: &str, parent: Option<i32>) -> AccountChange {
    let body = serde_json::json!({
        "AccountName": name, "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 7, "ParentId": parent,
    });
    let body: AccountPut = json::from_slice(body.to_string().as_bytes()).unwrap();
    Arc::new(move |account| account.replaced(&ACCOUNTS, &body))
}

/// Runs a future in a runtime whose spawned tasks continue in the background.
fn run<T>(work: impl Future<Output = T>) -> T {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    RUNTIME.get_or_init(runtime).block_on(work)
}

#[test]
fn locations_are_read_and_shown_without_their_password() {
    assert_eq!(Location::parse("sqlite:data/store.sqlite"), Ok(Location::Sqlite("data/store.sqlite".into())));
    let shown = |text: &str| Location::parse(text).map(|location| location.to_string());
    assert_eq!(shown("postgres://me:se%40cret@db:5433/x?sslmode=require"), Ok("postgres://me@db:5433/x".into()));
    assert_eq!(shown("postgresql://db/x?user=me&password=secret"), Ok("postgresql://db/x".into()));
    for wrong in ["", "sqlite:", "store.sqlite", "mysql://db", "postgres://db:port/x"] {
        assert!(Location::parse(wrong).is_err(), "{wrong}");
    }
    let refused = |text: &str| Location::parse(text).unwrap_err();
    let unknown = refused("postgres://me:secret@db/x?sslmode=verify-full");
    assert!(unknown.contains("`sslmode`") && !unknown.contains("secret"), "{unknown}");
    assert!(!refused("postgres://me:se@cr?et=x@db/x").contains("et"), "a part of a password");
}
