use std::time::Duration;

use super::*;
use crate::store::session::sqlite::Shared as SharedConnection;

const ASKER: Asker = NOBODY;

fn token(id: i32) -> Asker {
    (TenantId::FIRST, Some(id))
}

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
    move |connection| work(&lock(connection))
}

fn insert_any(connection: &rusqlite::Connection) -> Result<(), Error> {
    connection.execute("INSERT INTO sheep (name) VALUES (hex(randomblob(8)))", ())?;
    Ok(())
}

fn count(database: &Database) -> i64 {
    database
        .read_blocking(|reader| {
            Ok(reader.connection().query_row("SELECT count(*) FROM sheep", (), |row| row.get(0))?)
        })
        .unwrap()
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
        .map(|name| database.writer.submit(NOBODY, locked(insert(name))).unwrap())
        .into_iter()
        .collect();
    let panicking = database.writer.submit(NOBODY, |_| -> Result<(), Error> { panic!("on purpose") }).unwrap();
    assert_eq!(count(&database), 0);
    drop(held);

    let results: Vec<_> = waiting.into_iter().map(|receiver| receiver.blocking_recv().unwrap().is_ok()).collect();
    assert_eq!(results, [true, true, false, true]);
    assert!(panicking.blocking_recv().unwrap().is_err());
    assert_eq!(count(&database), 3);
}

#[test]
fn a_full_queue_is_busy() {
    let (_folder, database) = database(2);
    let held = database.hold_writer();
    let first = database.writer.submit(token(1), locked(insert("a"))).unwrap();
    assert!(matches!(database.writer.submit(token(1), locked(insert("c"))), Err(Error::Busy)), "it has its share");
    let second = database.writer.submit(token(2), locked(insert("b"))).unwrap();
    assert!(matches!(database.writer.submit(token(3), locked(insert("c"))), Err(Error::Busy)));
    drop(held);
    assert!(first.blocking_recv().unwrap().is_ok());
    assert!(second.blocking_recv().unwrap().is_ok());
    assert!(database.write_blocking(insert("c")).is_ok());
}

#[test]
fn another_process_that_writes_makes_it_busy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let options = Options { patience: Duration::from_millis(20), ..Options::default() };
    let database = Database::open(&file, &options).unwrap();
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(matches!(database.write_blocking(|_| Ok(())), Err(Error::Busy)));
    other.execute_batch("COMMIT").unwrap();
    assert!(database.write_blocking(|_| Ok(())).is_ok());
}

#[test]
fn closing_waits_for_what_is_queued() {
    let (_folder, database) = database(16);
    let held = database.hold_writer();
    let waiting = database.writer.submit(NOBODY, locked(insert("a"))).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| database.close());
        drop(held);
    });
    assert!(waiting.blocking_recv().unwrap().is_ok());
    assert!(matches!(database.write_blocking(insert("b")), Err(Error::Busy)));
    assert_eq!(count(&database), 1);
}

#[test]
fn a_long_read_leaves_the_thread_that_serves() {
    let (_folder, database) = database(16);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let serving = std::thread::current().id();
    let long = database.read(ASKER, |reader| {
        let sum: i64 = reader.connection().query_row(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT sum(i) FROM n",
            (),
            |row| row.get(0),
        )?;
        Ok((std::thread::current().id(), sum))
    });
    let (thread, sum) = runtime.block_on(long).unwrap();
    assert_eq!(sum, 300_000 * 300_001 / 2);
    assert_ne!(thread, serving);

    let short = runtime.block_on(database.read(ASKER, |_| Ok(std::thread::current().id()))).unwrap();
    assert_eq!(short, serving);
}

#[test]
fn readers_end_with_their_database() {
    let (_folder, first) = database(16);
    assert_eq!(count(&first), 0);
    let identity = Arc::downgrade(&first.identity);
    drop(first);
    assert_eq!(identity.strong_count(), 0);
    let (_folder, second) = database(16);
    assert_eq!(count(&second), 0);
    second.write_blocking(insert("a")).unwrap();
    assert_eq!(count(&second), 1);
}

#[test]
fn work_that_nobody_waits_for_any_more_is_not_done() {
    let (_folder, database) = database(16);
    let held = database.hold_writer();
    drop(database.writer.submit(NOBODY, locked(insert("given up"))).unwrap());
    database.write_later(|connection| insert("later")(connection).map(drop));
    let waiting = database.writer.submit(NOBODY, locked(insert("awaited"))).unwrap();
    drop(held);
    assert!(waiting.blocking_recv().unwrap().is_ok());
    assert_eq!(count(&database), 2);
}

#[test]
fn who_waits_behind_a_store_that_is_held_is_told_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let options = Options { patience: Duration::from_millis(500), ..Options::default() };
    let database = Database::open(&file, &options).unwrap();
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begin = std::time::Instant::now();
    let waiting: Vec<_> = (0..20).map(|_| database.writer.submit(NOBODY, |_| Ok(())).unwrap()).collect();
    for waiting in waiting {
        assert!(matches!(waiting.blocking_recv().unwrap(), Err(Error::Busy)));
    }
    // Each in its turn would have taken 10 s.
    assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
    other.execute_batch("COMMIT").unwrap();
    assert!(database.write_blocking(|_| Ok(())).is_ok());
}

#[test]
fn the_death_of_the_writer_is_reported_and_nothing_is_answered_as_done() {
    let (_folder, database) = database(16);
    let death = database.death();
    assert!(death.borrow().is_none());
    let held = database.hold_writer();
    database.kill_writer();
    let waiting = database.writer.submit(NOBODY, locked(insert("a"))).unwrap();
    drop(held);
    assert!(!matches!(waiting.blocking_recv(), Ok(Ok(_))));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let reason = runtime.block_on(database.death().wait_for(Option::is_some)).unwrap().clone();
    assert_eq!(reason.as_deref(), Some("it panicked"));
    assert!(database.write_blocking(insert("b")).is_err());
    // The commit that the first shared with the one that killed the thread may have gone through.
    assert!(count(&database) <= 1);
}

#[test]
fn a_full_disk_refuses_writes_and_is_recovered_from() {
    let (_folder, database) = database(16);
    let pages = |limit: &str| {
        let sql = format!("PRAGMA max_page_count = {limit}");
        database.write_blocking(move |connection| Ok(connection.query_row(&sql, (), |_| Ok(()))?)).unwrap();
    };
    pages("1");
    let held = database.hold_writer();
    let large = |connection: &rusqlite::Connection| {
        connection.execute("INSERT INTO sheep (name) VALUES (hex(zeroblob(4000000)))", ())?;
        Ok(())
    };
    let before = database.writer.submit(NOBODY, locked(insert("a"))).unwrap();
    let refused = database.writer.submit(NOBODY, locked(large)).unwrap();
    let after = database.writer.submit(NOBODY, locked(insert("b"))).unwrap();
    drop(held);
    let refused = refused.blocking_recv().unwrap();
    assert!(matches!(refused, Err(Error::Unwritable(_))), "{refused:?}");
    let others = [before, after].map(|receiver| receiver.blocking_recv().unwrap());
    assert!(others.iter().all(|result| matches!(result, Ok(_) | Err(Error::Unwritable(_)))), "{others:?}");
    let stored = others.iter().filter(|result| result.is_ok()).count();
    assert_eq!(usize::try_from(count(&database)), Ok(stored), "what is refused is not there");

    pages("1000000");
    database.write_blocking(large).unwrap();
    assert_eq!(usize::try_from(count(&database)), Ok(stored + 1));
}

#[test]
fn long_writes_of_one_caller_hold_up_those_of_another_for_a_moment_only() {
    let (_folder, database) = database(4096);
    let held = database.hold_writer();
    let slow = |connection: &rusqlite::Connection| {
        std::thread::sleep(Duration::from_millis(10));
        insert_any(connection)
    };
    let mut of_one: Vec<_> = (0..200).map(|_| database.writer.submit(token(1), locked(slow)).unwrap()).collect();
    let of_other = database.writer.submit(token(2), locked(insert_any)).unwrap();
    drop(held);
    assert!(of_other.blocking_recv().unwrap().is_ok());
    let answered = of_one.iter_mut().filter_map(|waiting| waiting.try_recv().ok()).count();
    assert!(answered < 20, "{answered} of the other caller went first");
    drop(of_one);
}

#[test]
fn the_log_begins_anew_while_others_write_on_and_is_gone_in_the_end() {
    let (folder, database) = database(64);
    let log = folder.path().join("store.db-wal");
    let written: u64 = (0..250)
        .map(|_| {
            let waiting: Vec<_> = (0..4)
                .map(|_| {
                    let write = |connection: &rusqlite::Connection| {
                        connection.execute("INSERT INTO sheep (name) VALUES (hex(randomblob(100000)))", ())?;
                        Ok(())
                    };
                    database.writer.submit(NOBODY, locked(write)).unwrap()
                })
                .collect();
            for written in waiting {
                written.blocking_recv().unwrap().unwrap();
            }
            4 * 200_000
        })
        .sum();
    let length = std::fs::metadata(&log).unwrap().len();
    assert!(length < written / 2, "{length} bytes of log after {written} that were written");
    assert_eq!(count(&database), 1000);
    database.close();
    assert_eq!(std::fs::metadata(&log).map_or(0, |log| log.len()), 0);
}
