//! Whether the service is ready.

use rusqlite::Connection;
use service::{
    blob::Blobs,
    health::Health,
    store::{Options, Store},
};
use tempfile::TempDir;

/// A store with room for one write of the service to wait, a quarter of its queue.
fn store() -> (TempDir, Store, Blobs) {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::local(folder.path()).unwrap();
    let options = Options { queue: 4, ..Options::default() };
    let store = Store::open(&folder.path().join("store.db"), &options).unwrap();
    (folder, store, blobs)
}

/// Keeps writes from beginning until the connection is dropped.
fn hold(folder: &TempDir) -> Connection {
    let connection = Connection::open(folder.path().join("store.db")).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    connection
}

#[tokio::test]
async fn the_store_is_asked_once_a_second_whoever_asks_and_hangs_up() {
    let (folder, store, blobs) = store();
    let health = Health::default();
    let held = hold(&folder);
    let asking: Vec<_> = (0..100)
        .map(|number| {
            let (health, store, blobs) = (health.clone(), store.clone(), blobs.clone());
            let asking = tokio::spawn(async move { health.ready(&store, &blobs).await });
            if number % 2 == 0 {
                asking.abort();
            }
            asking
        })
        .collect();
    // All have started by then.
    tokio::task::yield_now().await;
    drop(held);
    for asked in asking {
        // One check is being written, and one may wait: a third would have found the queue full.
        assert!(asked.await.map_or(true, |state| state.is_ok()));
    }
}

#[tokio::test]
async fn a_store_that_does_not_answer_or_is_closed_is_not_ready() {
    let (folder, store, blobs) = store();
    let held = hold(&folder);
    let reason = Health::default().ready(&store, &blobs).await.unwrap_err();
    assert!(reason.contains("2 s"), "{reason}");
    drop(held);
    // The abandoned write leaves the queue soon.
    while Health::default().ready(&store, &blobs).await.is_err() {}
    store.close();
    assert!(Health::default().ready(&store, &blobs).await.is_err());
}
