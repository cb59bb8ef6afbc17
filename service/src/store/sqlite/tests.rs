use super::*;
use crate::store::session::sqlite::Shared as SharedConnection;

fn database(queue: usize) -> (tempfile::TempDir, Arc<Database>) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { queue, ..Options::default() };
    let database = Arc::new(Database::open(&folder.path().join("store.db"), &options).unwrap());
    database
        .write_blocking(|connection| {
            Ok(connection.execute_batch("CREATE TABLE sheep (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT")?)
        })
        .unwrap();
    (folder, database)
}

fn insert(name: &str) -> impl FnOnce(&rusqlite::Connection) -> Result<i64, Error> + Send + 'static {
    let name = name.to_owned();
    move |connection| {
        connection.execute("INSERT INTO sheep (name) VALUES (?1)", [name])?;
        Ok(connection.last_insert_rowid())
    }
}

/// The same work, on the connection that the writer shares.
fn locked<T>(
    work: impl FnOnce(&rusqlite::Connection) -> Result<T, Error> + Send + 'static,
) -> impl FnOnce(&SharedConnection) -> Result<T, Error> + Send + 'static {
    move |connection| work(&connection.lock())
}

fn count(database: &Database) -> i64 {
    let connection = rusqlite::Connection::open(&database.file).unwrap();
    connection.query_row("SELECT count(*) FROM sheep", (), |row| row.get(0)).unwrap()
}

#[test]
fn what_waits_is_committed_together_and_a_failure_stays_alone() {
    let (_folder, database) = database(32);
    let commits = |database: &Database| {
        database
            .write_blocking(|connection| {
                Ok(connection.query_row("PRAGMA data_version", (), |row| row.get::<_, i64>(0))?)
            })
            .unwrap()
    };
    commits(&database);

    let held = database.hold_writer();
    let waiting: Vec<_> = ["a", "b", "a", "c"]
        .map(|name| database.writer.submit(None, locked(insert(name))).unwrap())
        .into_iter()
        .collect();
    let panicking = database.writer.submit(None, |_| -> Result<(), Error> { panic!("on purpose") }).unwrap();
    assert_eq!(count(&database), 0);
    drop(held);

    let results: Vec<_> = waiting.into_iter().map(|receiver| receiver.blocking_recv().unwrap().is_ok()).collect();
    assert_eq!(results, [true, true, false, true]);
    assert!(panicking.blocking_recv().unwrap().is_err());
    assert_eq!(count(&database), 3);
}

#[test]
fn the_death_of_the_writer_is_reported_and_nothing_is_answered_as_done() {
    let (_folder, database) = database(16);
    let death = database.death();
    assert!(death.borrow().is_none());
    let held = database.hold_writer();
    database.kill_writer();
    let waiting = database.writer.submit(None, locked(insert("a"))).unwrap();
    drop(held);
    assert!(!matches!(waiting.blocking_recv(), Ok(Ok(_))));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let reason = runtime.block_on(database.death().wait_for(Option::is_some)).unwrap().clone();
    assert_eq!(reason.as_deref(), Some("it panicked"));
    assert!(database.write_blocking(insert("b")).is_err());
    // The commit that the first shared with the one that killed the thread may have gone through.
    assert!(count(&database) <= 1);
}
