//! Log lines: for people or as JSON, on standard error.

use std::io::IsTerminal as _;

use tracing_subscriber::{EnvFilter, fmt};

use crate::config::{Config, LogFormat};

/// Starts logging; a filter that cannot be read is an error, so that nobody waits for lines that never come.
pub fn start(config: &Config) -> Result<(), tracing_subscriber::filter::ParseError> {
    let filter = EnvFilter::builder().parse(&config.log)?;
    let lines = fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let lines = lines.with_ansi(std::io::stderr().is_terminal());
    // A logger that was set before, as in tests of several services in one process, stays.
    let _ = match config.log_format {
        LogFormat::Text => lines.with_target(false).try_init().is_ok(),
        LogFormat::Json => lines.json().flatten_event(true).try_init().is_ok(),
    };
    Ok(())
}
