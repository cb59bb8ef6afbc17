//! A copy of a database as it is at one moment, made beside those who write.

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

/// Pages that are copied at once.
const PAGES: i32 = 4096;

/// How long it waits for another process that recovers the log.
const PATIENCE: Duration = Duration::from_secs(10);

/// Copies the database in `from` into the new file `to`, which is whole and on the disk when this returns.
pub(in crate::store) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    File::create_new(to).map_err(Error::database)?;
    let copied = fill(from, to);
    if copied.is_err() {
        // Whatever went wrong is what matters.
        let _ = fs::remove_file(to);
    }
    copied
}

fn fill(from: &Path, to: &Path) -> Result<(), Error> {
    let source = connection::reading(from)?;
    source.busy_timeout(PATIENCE)?;
    // The state that is read from here on stays the same, however long it takes.
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
    // So that the copy is one file, also after it has been looked at.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    target.close().map_err(|(_, error)| error)?;
    File::open(to).and_then(|file| file.sync_all()).map_err(Error::database)
}
