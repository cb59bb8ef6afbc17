//! The options that every server of tools has.

use std::net::SocketAddr;
use std::time::Duration;

use super::Tier;

/// The options of the command line.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Which tools there are: those that read, also those that write, or all.
    #[arg(long, value_enum, value_name = "TIER", default_value_t = Tier::Read)]
    pub(super) allow: Tier,
    /// Returns the request of each call, without credentials, instead of sending it.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Maximum size of a result, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 65_536)]
    pub(super) max_bytes: usize,
    /// Maximum duration of a call, in seconds. A stream returns what came until then.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
    /// Serves HTTP on this address, at `/mcp`, instead of standard input and output. Callers need no credentials.
    #[arg(long, value_name = "ADDRESS")]
    pub(super) listen: Option<SocketAddr>,
}

impl Options {
    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}
