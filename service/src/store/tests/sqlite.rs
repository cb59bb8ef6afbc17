//! On a file of its own.

#[path = "accounts.rs"]
mod accounts;
#[path = "agents.rs"]
mod agents;
#[path = "others.rs"]
mod others;
#[path = "work.rs"]
mod work;

use super::*;

/// A hash, in SQL.
const HASH: &str = "x'01'";

/// A place for a store, as long as the folder is there.
fn place() -> (TempDir, Location) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    (folder, Location::Sqlite(file))
}

/// The runtime has no timers: waiting would panic.
#[test]
fn revoking_an_unknown_token_does_not_wait() {
    let (_folder, _store, tenant) = open(place());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert!(!runtime.block_on(tenant.revoke_token(7)).unwrap());
}
