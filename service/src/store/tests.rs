//! The store as its callers use it, on each kind of database.

#![allow(clippy::duplicate_mod, reason = "the same tests run on each kind of database")]

mod sqlite;
tests_postgres::with_postgres! {
    mod postgres;
}

use std::sync::{Arc, OnceLock};

use generated_server::{models::AccountPost, runtime::json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{AccountChange, Location, Options, Store, TenantStore, record::Record};
use crate::{
    domain::{caller::Actor, tenant::TenantId},
    import,
};

/// A store with a little of everything that the interface only reads.
fn open((folder, location): (TempDir, Location)) -> (TempDir, Store, TenantStore) {
    let store = Store::open(location, &Options::default()).unwrap();
    let source = import::Source {
        file: "reference_data.json".into(),
        bytes: include_bytes!("tests/reference_data.json").into(),
    };
    import::load(&store.tenant(TenantId::FIRST), &[source], None, &()).unwrap();
    let tenant = store.tenant(TenantId::FIRST).acting_for(actor());
    (folder, store, tenant)
}

/// A token, for assignee 7.
fn actor() -> Actor {
    Actor { token: Some((1, "test".into())), assignee: Some(7), operation: "Test" }
}

/// An account of that name without locations.
fn new_account(name: &str) -> AccountPost {
    let body = serde_json::json!({
        "AccountName": name, "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 7,
        "Locations": [{ "LocationName": "Main", "IsMain": true, "Addresses": [{}] }],
    });
    let account: AccountPost = json::from_slice(body.to_string().as_bytes()).unwrap();
    AccountPost { locations: Vec::new(), ..account }
}

/// A change of a record.
fn change(work: impl Fn(&mut Record) + Send + Sync + 'static) -> AccountChange {
    Arc::new(move |account| {
        let mut account = account.clone();
        work(&mut account);
        Ok(account)
    })
}

/// Runs a future in a runtime whose spawned tasks continue in the background.
fn run<T>(work: impl Future<Output = T>) -> T {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    RUNTIME.get_or_init(runtime).block_on(work)
}
