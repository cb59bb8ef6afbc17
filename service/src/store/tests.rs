//! The store as its callers use it, on a file of its own.

mod accounts;
mod agents;
mod others;

use tempfile::TempDir;

use super::{Options, Store, TenantStore};
use crate::domain::{caller::Actor, tenant::TenantId};

/// A store with a little of everything that the interface only reads.
fn store() -> (TempDir, Store, TenantStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store.db"), &Options::default()).unwrap();
    let reference_data = include_str!("tests/reference_data.sql");
    store.execute(reference_data);
    let tenant = store.tenant(TenantId::FIRST).acting_for(actor());
    (folder, store, tenant)
}

/// A token, for assignee 7.
fn actor() -> Actor {
    Actor { token: Some((1, "test".into())), assignee: Some(7), operation: "Test" }
}

/// Runs what is asynchronous.
fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(work)
}
