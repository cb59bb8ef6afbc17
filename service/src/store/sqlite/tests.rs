use std::{
    path::PathBuf,
    sync::mpsc::{Sender, channel},
};

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

#[test]
fn the_failure_of_one_waiting_job_undoes_no_other() {
    let (file, _folder, database) = database();
    let held = hold(&database);
    let waiting = ["a", "b", "a", "c"].map(|name| database.writer.submit(None, insert(name)).unwrap());
    let panicking = database.writer.submit(None, |_| -> Result<(), Error> { panic!("on purpose") }).unwrap();
    assert_eq!(count(&file), 0);
    drop(held);

    let results = waiting.map(|receiver| receiver.blocking_recv().unwrap().is_ok());
    assert_eq!(results, [true, true, false, true]);
    assert!(panicking.blocking_recv().unwrap().is_err());
    assert_eq!(count(&file), 3);
}

#[test]
fn the_death_of_the_writer_is_reported_and_nothing_is_answered_as_done() {
    let (file, _folder, database) = database();
    assert!(database.death().borrow().is_none());
    let held = hold(&database);
    database.kill_writer();
    let waiting = database.writer.submit(None, insert("a")).unwrap();
    drop(held);
    assert!(!matches!(waiting.blocking_recv(), Ok(Ok(_))));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let reason = runtime.block_on(database.death().wait_for(Option::is_some)).unwrap().clone();
    assert_eq!(reason.as_deref(), Some("it panicked"));
    let later = database.writer.submit(None, insert("b"));
    assert!(!matches!(later.map(oneshot::Receiver::blocking_recv), Ok(Ok(Ok(_)))));
    // The commit that the first shared with the one that killed the thread may have gone through.
    assert!(count(&file) <= 1);
}
