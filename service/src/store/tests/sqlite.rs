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

/// On a clock that waits for nothing: on PostgreSQL each statement has its time, which would be over at once.
#[test]
fn who_revokes_a_token_that_is_not_there_does_not_wait() {
    let (_folder, _store, tenant) = open(place());
    let paused = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    paused.block_on(async {
        let begin = tokio::time::Instant::now();
        assert!(!tenant.revoke_token(7).await.unwrap());
        assert_eq!(begin.elapsed(), std::time::Duration::ZERO, "there is nothing to wait for");
    });
}
