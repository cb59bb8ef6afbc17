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
