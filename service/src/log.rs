//! Log lines: for people or as JSON, on standard error.

use std::io::IsTerminal as _;

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
