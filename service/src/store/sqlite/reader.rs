//! Connections that read. Each reads one state of the database at a time, and comes back clean whatever happens meanwhile.

use std::{
    cell::{Cell, RefCell},
    path::Path,
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use rusqlite::Connection;

use super::{
    connection,
    watch::{Patience, STEPS, Watch},
};
use crate::store::Error;

/// So long a reader waits, which happens only while another process recovers the log. A thread that serves does not wait.
const BUSY_TIME: Duration = Duration::from_secs(5);

/// A connection that reads.
pub(super) struct Reader {
    connection: Connection,
    watch: Watch,
    /// So many bytes it may answer.
    bytes: usize,
    /// False when it could not leave its last state, so that nothing more can be read with it.
    is_clean: Cell<bool>,
}

thread_local! {
    static READERS: RefCell<Vec<(Weak<()>, Reader)>> = const { RefCell::new(Vec::new()) };
}

/// Gives `work` the reader that this thread has for the database of `identity`; `open` makes it. A reader that does not
/// come back clean, or not at all since `work` panics, is not used again.
pub(super) fn with<T>(
    identity: &Arc<()>,
    open: impl FnOnce() -> Result<Reader, Error>,
    work: impl FnOnce(&Reader) -> Result<T, Error>,
) -> Result<T, Error> {
    let is_ours = |(owner, _): &(Weak<()>, Reader)| std::ptr::eq(owner.as_ptr(), Arc::as_ptr(identity));
    let kept = READERS.with_borrow_mut(|readers| {
        let position = readers.iter().position(is_ours)?;
        Some(readers.swap_remove(position).1)
    });
    let reader = kept.map_or_else(open, Ok)?;
    let result = work(&reader);
    if reader.is_clean() {
        READERS.with_borrow_mut(|readers| {
            readers.retain(|(owner, _)| owner.strong_count() > 0);
            readers.push((Arc::downgrade(identity), reader));
        });
    }
    result
}

impl Reader {
    /// Opens one whose answers may have so many bytes.
    pub(super) fn open(file: &Path, bytes: usize) -> Result<Self, Error> {
        Self::looking_every(STEPS, file, bytes)
    }

    fn looking_every(steps: i32, file: &Path, bytes: usize) -> Result<Self, Error> {
        let mut connection = connection::reading(file)?;
        let watch = Watch::default();
        let watching = watch.clone();
        connection.progress_handler(steps, Some(move || watching.look(Instant::now())))?;
        Ok(Self { connection, watch, bytes, is_clean: Cell::new(true) })
    }

    /// Runs `work` on one state of the database. `None` when it has been broken off, whatever `work` has made of that.
    pub(super) fn run<T>(
        &self,
        patience: &Patience,
        work: impl FnOnce(&Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let is_short = matches!(patience, Patience::Short);
        self.connection.busy_timeout(if is_short { Duration::ZERO } else { BUSY_TIME })?;
        self.watch.begin(patience, self.bytes);
        let state = State(self);
        let result = state.begin().and_then(|()| work(self));
        let was_broken_off = self.watch.end();
        drop(state);
        match result {
            _ if was_broken_off => Ok(None),
            Ok(value) => Ok(Some(value)),
            // Waiting is no work for a thread that serves, either.
            Err(Error::Busy) if is_short => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn is_clean(&self) -> bool {
        self.is_clean.get()
    }

    pub(super) fn watch(&self) -> &Watch {
        &self.watch
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }
}

/// One state of the database, until it is dropped.
struct State<'a>(&'a Reader);

impl State<'_> {
    fn begin(&self) -> Result<(), Error> {
        self.0.connection.prepare_cached("BEGIN")?.execute(())?;
        Ok(())
    }
}

impl Drop for State<'_> {
    fn drop(&mut self) {
        let Reader { connection, watch, is_clean, .. } = self.0;
        // Before anything else: leaving the state must not be broken off.
        watch.end();
        if !connection.is_autocommit() {
            let left = connection.prepare_cached("ROLLBACK").and_then(|mut rollback| rollback.execute(()));
            is_clean.set(left.is_ok() && connection.is_autocommit());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader() -> (tempfile::TempDir, Reader) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("store.db");
        connection::writing(&file, Duration::ZERO).unwrap();
        // As often as can be: the end of a read is looked at, too.
        (folder, Reader::looking_every(1, &file, usize::MAX).unwrap())
    }

    fn one(reader: &Reader) -> Result<i64, Error> {
        Ok(reader.connection().query_row("SELECT 1", (), |row| row.get(0))?)
    }

    /// Late when it begins.
    fn late() -> Patience {
        Patience::Long(Duration::ZERO, Arc::downgrade(&Arc::new(())))
    }

    #[test]
    fn a_read_that_is_broken_off_leaves_the_reader_clean() {
        let (_folder, reader) = reader();
        for patience in [late(), Patience::Short, late()] {
            let sum = |reader: &Reader| (0..100).map(|_| one(reader)).sum::<Result<i64, _>>();
            assert!(matches!(reader.run(&patience, sum), Ok(None)));
            assert!(reader.is_clean());
            assert!(matches!(reader.run(&Patience::Endless, one), Ok(Some(1))));
        }
    }

    #[test]
    fn a_read_that_panics_leaves_the_reader_clean() {
        let (_folder, reader) = reader();
        let work = || reader.run(&Patience::Endless, |_| -> Result<(), Error> { panic!("on purpose") });
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        assert!(reader.is_clean());
        assert!(matches!(reader.run(&Patience::Endless, one), Ok(Some(1))));
    }

    #[test]
    fn an_interruption_that_is_swallowed_gives_no_answer() {
        let (_folder, reader) = reader();
        let half = reader.run(&Patience::Short, |reader| Ok((0..100).filter_map(|_| one(reader).ok()).sum::<i64>()));
        assert!(matches!(half, Ok(None)), "{half:?}");
    }

    #[test]
    fn a_reader_that_cannot_leave_its_state_is_not_used_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("store.db");
        connection::writing(&file, Duration::ZERO).unwrap();
        let identity = Arc::new(());
        let opened = Cell::new(0);
        let open = || {
            opened.set(opened.get() + 1);
            Reader::open(&file, usize::MAX)
        };
        let read = |work: &dyn Fn(&Reader)| {
            with(&identity, open, |reader| {
                work(reader);
                one(reader)
            })
        };
        read(&|_| {}).unwrap();
        read(&|reader| reader.is_clean.set(false)).unwrap();
        read(&|_| {}).unwrap();
        assert_eq!(opened.get(), 2);
        let panics = || read(&|_| panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        read(&|_| {}).unwrap();
        assert_eq!(opened.get(), 3);
    }
}
