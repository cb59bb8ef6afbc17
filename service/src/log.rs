//! Log lines: for people or as JSON, on standard error.

use std::{
    error::Error,
    io::{self, ErrorKind, IsTerminal as _},
    iter::successors,
};

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{
    Layer as _,
    filter::{ParseError, Targets},
    fmt,
    layer::SubscriberExt as _,
    registry,
    util::SubscriberInitExt as _,
};

use crate::config::{Config, LogFormat};

/// Maximum number of buffered log lines, some MiB; further ones are lost.
const WAITING: usize = 16_384;

/// The thread that writes log lines, so that requests never wait for the reader of the log. Dropping it
/// flushes.
#[must_use]
#[derive(Debug)]
pub struct Log {
    lost: ErrorCounter,
    _thread: WorkerGuard,
}

impl Drop for Log {
    fn drop(&mut self) {
        let lost = self.lost.dropped_lines();
        if lost > 0 {
            tracing::warn!(lost, "lines of the log are lost, for they were not read in time");
        }
    }
}

/// Starts logging; an invalid filter is an error.
pub fn start(config: &Config) -> Result<Log, ParseError> {
    let filter: Targets = config.log.parse()?;
    let thread = NonBlockingBuilder::default().buffered_lines_limit(WAITING).thread_name("log");
    let (writer, guard) = thread.finish(std::io::stderr());
    let lost = writer.error_counter();
    let lines = fmt::layer().with_writer(writer).with_ansi(std::io::stderr().is_terminal());
    // An existing logger is kept, as in tests with several services in one process.
    let _ = match config.log_format {
        LogFormat::Text => registry().with(lines.with_target(false).with_filter(filter)).try_init(),
        LogFormat::Json => registry().with(lines.json().flatten_event(true).with_filter(filter)).try_init(),
    };
    Ok(Log { lost, _thread: guard })
}

/// An error and its causes, the innermost last.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |&error| error.source())
}

/// The innermost cause of an error, for problems whose place is named already.
pub fn root_cause(error: &(dyn Error + 'static)) -> String {
    chain(error).last().unwrap_or(error).to_string()
}

/// The messages of an error and its causes.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    chain(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Whether an error or one of its causes is an I/O error of one of these kinds.
pub(crate) fn is_io(error: &(dyn Error + 'static), kinds: &[ErrorKind]) -> bool {
    chain(error).filter_map(|error| error.downcast_ref::<io::Error>()).any(|error| kinds.contains(&error.kind()))
}
