//! On a file of its own.

#[path = "agents.rs"]
mod agents;
#[path = "contents.rs"]
mod contents;
#[path = "lists.rs"]
mod lists;
#[path = "tokens.rs"]
mod tokens;
#[path = "work.rs"]
mod work;

use std::{
    collections::BTreeMap,
    pin::Pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use rusqlite::Connection;
use service::{
    config::Bounds,
    domain::list::{Filter, ListQuery, Test},
    store::Error,
};

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
    let case = Case::open(place());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert!(!runtime.block_on(case.tenant.revoke_token(7)).unwrap());
}

/// A write that has begun to wait.
type Write = Pin<Box<dyn Future<Output = Result<(), Error>>>>;

/// A store, and another process that writes until it commits.
struct Held {
    case: Case,
    other: Connection,
}

impl Held {
    /// A store whose writer waits for the other process, with one write.
    fn new(options: &Options) -> (Self, Write) {
        let mut case = Case::open(place());
        let Location::Sqlite(file) = case.location.clone() else { panic!("a file") };
        case.store.close();
        case.store = Store::open(case.location.clone(), options).unwrap();
        let other = Connection::open(file).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let held = Self { case, other };
        let first = held.begin(0).unwrap();
        while held.case.store.gauges().iter().any(|(name, _, value)| *name == "store_writes_waiting" && *value > 0) {
            std::thread::yield_now();
        }
        (held, first)
    }

    /// Begins to write a setting for a token.
    fn begin(&self, token: i32) -> Result<Write, Error> {
        let actor = Actor { token: Some((token, "test".into())), ..actor() };
        let tenant = self.case.store.tenant(TenantId::FIRST).acting_for(actor);
        let settings = BTreeMap::from([(format!("of {token}"), token.into())]);
        let mut write: Write = Box::pin(async move { tenant.put_settings(1, settings, None).await });
        match write.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result.map(|()| write),
            Poll::Pending => Ok(write),
        }
    }

    /// Lets the writer go on.
    fn release(&self) {
        self.other.execute_batch("COMMIT").unwrap();
    }

    /// The settings that were written.
    fn written(&self) -> i64 {
        let sql = "SELECT count(*) FROM company_settings WHERE key LIKE 'of %'";
        self.other.query_row(sql, (), |row| row.get(0)).unwrap()
    }
}

/// The options of a store whose writes wait this long.
fn patient(write: Duration) -> Options {
    Options { bounds: Bounds { write, ..Bounds::default() }, ..Options::default() }
}

#[test]
fn a_full_queue_is_busy() {
    let (held, first) = Held::new(&Options { queue: 4, ..Options::default() });
    let waiting: Vec<_> = (1..=3)
        .map(|token| {
            let write = held.begin(token).unwrap();
            assert!(matches!(held.begin(token), Err(Error::Busy)), "it has its share");
            write
        })
        .collect();
    assert!(matches!(held.begin(4), Err(Error::Busy)), "the tenant has three quarters");
    held.release();
    for write in waiting.into_iter().chain([first]) {
        run(write).unwrap();
    }
    run(held.begin(4).unwrap()).unwrap();
    assert_eq!(held.written(), 5);
}

#[test]
fn another_process_that_writes_makes_it_busy() {
    let (held, first) = Held::new(&patient(Duration::from_millis(20)));
    assert!(matches!(run(first), Err(Error::Busy)));
    held.release();
    run(held.begin(1).unwrap()).unwrap();
}

#[test]
fn writes_behind_a_store_that_is_held_are_refused_at_the_same_time() {
    let (held, first) = Held::new(&patient(Duration::from_secs(1)));
    // While the first one waits, the others come.
    let mut together: Vec<_> = (0..20).map(|token| held.begin(token).unwrap()).collect();
    assert!(matches!(run(first), Err(Error::Busy)));
    assert!(matches!(run(together.remove(0)), Err(Error::Busy)));
    // One that waited in its turn would find the store free now.
    held.release();
    assert!(together.into_iter().all(|write| matches!(run(write), Err(Error::Busy))));
}

#[test]
fn closing_waits_for_what_is_queued() {
    let (held, first) = Held::new(&Options::default());
    let second = held.begin(1).unwrap();
    let store = held.case.store.clone();
    std::thread::scope(|scope| {
        scope.spawn(|| store.close());
        held.release();
    });
    run(first).unwrap();
    run(second).unwrap();
    assert!(matches!(held.begin(2), Err(Error::Busy)));
    assert_eq!(held.written(), 2);
}

#[test]
fn a_write_whose_caller_is_gone_is_not_begun() {
    let (held, first) = Held::new(&Options::default());
    drop(held.begin(1).unwrap());
    let awaited = held.begin(2).unwrap();
    held.release();
    run(first).unwrap();
    run(awaited).unwrap();
    assert_eq!(held.written(), 2);
}

#[test]
fn a_read_that_takes_too_long_is_broken_off_and_leaves_its_reader_clean() {
    let mut case = Case::open(place());
    let bounds = Bounds { read: Duration::ZERO, ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    case.store = Store::open(case.location.clone(), &options).unwrap();
    let tenant = case.store.tenant(TenantId::FIRST);
    let fill = "INSERT INTO accounts (tenant_id, id, account_type_id, name, name_folded, business_type_id, manager_id)
        SELECT 1, value, 1, 'a', 'a', 1, 7 FROM (WITH RECURSIVE n (value) AS (
            SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 5000) SELECT value FROM n)";
    case.execute(fill);
    let all = Filter::default().and("AccountName", Test::Contains, Some("a".into()));
    for _ in 0..2 {
        let search = ListQuery { filter: all.clone(), ..ListQuery::default() };
        assert!(matches!(run(tenant.account_summaries(search)), Err(Error::TooLong(_))));
        assert!(run(tenant.account_summary(5000)).unwrap().is_some());
    }
}

#[test]
fn a_read_that_may_take_long_leaves_the_thread_that_serves() {
    let case = Case::open(place());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(1).build().unwrap();
    let _entered = runtime.enter();
    // The only thread for long work is taken.
    let (release, released) = std::sync::mpsc::channel::<()>();
    let held = runtime.spawn_blocking(move || released.recv());
    let mut context = Context::from_waker(Waker::noop());
    let mut short = Box::pin(case.tenant.settings(Some("Currency".into())));
    assert!(short.as_mut().poll(&mut context).is_ready());
    let mut long = Box::pin(case.tenant.settings(None));
    assert!(long.as_mut().poll(&mut context).is_pending());
    release.send(()).unwrap();
    runtime.block_on(held).unwrap().unwrap();
    assert_eq!(runtime.block_on(long).unwrap().len(), 1);
}

#[test]
fn a_database_of_others_is_left_alone() {
    let (_folder, location) = place();
    execute(&location, "CREATE TABLE theirs (id)");
    let refused = Store::open(location, &Options::default());
    assert!(matches!(refused, Err(Error::Foreign(_))), "{refused:?}");
}

#[test]
fn the_log_begins_anew_while_others_write_on_and_is_gone_in_the_end() {
    let case = Case::open(place());
    let Location::Sqlite(file) = &case.location else { panic!("a file") };
    let log = file.with_file_name("store.db-wal");
    let length = 500_000;
    let mut written = 0;
    for round in 0..40 {
        let writes = (0..4).map(|at| {
            let value = char::from(b'a' + round % 26).to_string().repeat(length);
            let settings = BTreeMap::from([(format!("large {at}"), value.into())]);
            let tenant = case.tenant.clone();
            async move { tenant.put_settings(1, settings, None).await }
        });
        run(futures_util::future::join_all(writes)).into_iter().collect::<Result<Vec<_>, _>>().unwrap();
        written += 4 * length as u64;
    }
    let length = std::fs::metadata(&log).unwrap().len();
    assert!(length < written / 2, "{length} bytes of log after {written} that were written");
    case.store.close();
    assert_eq!(std::fs::metadata(&log).map_or(0, |log| log.len()), 0);
}

#[cfg(unix)]
#[test]
fn a_copy_may_have_any_path() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let (folder, location) = place();
    drop(Store::open(location.clone(), &Options::default()).unwrap());
    let Location::Sqlite(file) = location else { unreachable!("it is a file") };
    let to = folder.path().join(OsStr::from_bytes(b"copy-\xff.db"));
    service::store::copy(&file, &to).unwrap();
    let tables = |file: &std::path::Path| -> i64 {
        let connection = Connection::open(file).unwrap();
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(tables(&to), tables(&file));
}
