use std::{
    path::PathBuf,
    sync::mpsc::{Sender, channel},
};

use futures_util::future::join_all;

use super::*;
use session::SharedConnection;

fn database() -> (PathBuf, tempfile::TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let table = "CREATE TABLE sheep (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT";
    rusqlite::Connection::open(&file).unwrap().execute_batch(table).unwrap();
    let database = Database::open(&file, &Options::default()).unwrap();
    (file, folder, database)
}

/// Keeps the writer busy until the sender is dropped.
fn hold(database: &Database) -> Sender<()> {
    let (sender, receiver) = channel::<()>();
    let (started, running) = channel();
    let held = database.writer.submit(None, move |_| {
        started.send(()).unwrap();
        receiver.recv().unwrap_err();
        Ok(())
    });
    running.recv().unwrap();
    drop(held);
    sender
}

fn insert(name: &'static str) -> impl FnOnce(&SharedConnection) -> Result<usize, Error> + Send + 'static {
    move |connection| Ok(connection.lock().execute("INSERT INTO sheep (name) VALUES (?1)", [name])?)
}

fn count(file: &Path) -> i64 {
    let connection = rusqlite::Connection::open(file).unwrap();
    connection.query_row("SELECT count(*) FROM sheep", (), |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn the_failure_of_one_waiting_job_undoes_no_other() {
    let (file, _folder, database) = database();
    let held = hold(&database);
    let waiting = ["a", "b", "a", "c"].map(|name| database.writer.submit(None, insert(name)).unwrap());
    let panicking = database.writer.submit(None, |_| -> Result<(), Error> { panic!("on purpose") }).unwrap();
    assert_eq!(count(&file), 0);
    drop(held);

    let results: Vec<_> = join_all(waiting).await.iter().map(Result::is_ok).collect();
    assert_eq!(results, [true, true, false, true]);
    assert!(panicking.await.is_err());
    assert_eq!(count(&file), 3);
}

#[tokio::test]
async fn a_waiting_job_frees_its_memory_when_the_caller_is_gone() {
    let (file, _folder, database) = database();
    let held = hold(&database);
    let kept = Arc::new(());
    let body = Arc::clone(&kept);
    let waiting = database.writer.submit(None, |connection| insert("a")(connection).map(|_| body)).unwrap();
    assert_eq!(Arc::strong_count(&kept), 2);
    drop(waiting);
    assert_eq!(Arc::strong_count(&kept), 1);
    drop(held);
    database.writer.submit(None, insert("b")).unwrap().await.unwrap();
    assert_eq!(count(&file), 1);
}

#[tokio::test]
async fn the_death_of_the_writer_is_reported_and_nothing_is_answered_as_done() {
    let (file, _folder, database) = database();
    assert!(database.death().now_or_never().is_none());
    let held = hold(&database);
    database.writer.kill();
    let waiting = database.writer.submit(None, insert("a")).unwrap();
    drop(held);
    assert!(waiting.await.is_err());
    assert_eq!(&*database.death().await, "it panicked");
    let later = database.writer.submit(None, insert("b"));
    assert!(async { later?.await }.await.is_err());
    assert_eq!(count(&file), 0);
}
