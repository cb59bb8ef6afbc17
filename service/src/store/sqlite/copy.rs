//! A snapshot copy of a database, made while it is in use.

use std::{
    fs::{self, File},
    path::Path,
    time::Duration,
};

use rusqlite::{
    Connection,
    backup::{Backup, StepResult},
};

use super::connection;
use crate::store::Error;

/// Number of pages copied at once.
const PAGES: i32 = 4096;

/// How long to wait for another process that recovers the log.
const PATIENCE: Duration = Duration::from_secs(10);

/// Copies the database `from` to the new file `to`, which is complete and flushed on return.
pub fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    File::create_new(to).map_err(Error::database)?;
    let copied = fill(from, to);
    if copied.is_err() {
        // Report the original error.
        let _ = fs::remove_file(to);
    }
    copied
}

fn fill(from: &Path, to: &Path) -> Result<(), Error> {
    let source = connection::reading(from)?;
    source.busy_timeout(PATIENCE)?;
    // This starts the snapshot.
    source.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")?;
    let mut target = Connection::open(to)?;
    let backup = Backup::new(&source, &mut target)?;
    loop {
        match backup.step(PAGES)? {
            StepResult::Done => break,
            StepResult::More => {}
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    }
    drop(backup);
    // Without a log, the copy stays a single file when it is opened.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    target.close().map_err(|(_, error)| error)?;
    File::open(to).and_then(|file| file.sync_all()).map_err(Error::database)
}
