//! The limit of open files, of which every connection takes one.

/// Open files other than connections: the store, its log, files being received or sent.
const OTHERS: u64 = 512;
/// The minimum number of useful connections.
const FEW: usize = 1000;

/// The number of connections within the limit of open files, after raising it as far as possible.
#[derive(Clone, Copy, Debug)]
pub struct OpenFiles {
    /// The limit; `None` when there is none.
    limit: Option<u64>,
    /// The number of connections, at most the wanted one.
    pub connections: usize,
    wanted: usize,
}

impl OpenFiles {
    /// Raises the limit of this process for `wanted` connections.
    pub fn raise(wanted: usize) -> Self {
        let limit = raised((wanted as u64).saturating_add(OTHERS));
        let room = limit.map_or(u64::MAX, |limit| limit.saturating_sub(OTHERS).max(limit / 2));
        Self { limit, connections: wanted.min(usize::try_from(room).unwrap_or(usize::MAX)), wanted }
    }

    /// Advice if the limit allows too few connections.
    pub fn shortage(&self) -> Option<String> {
        let limit = self.limit.filter(|_| self.connections < self.wanted.min(FEW))?;
        Some(format!(
            "{limit} files may be open, which is enough for {} connections: raise the limit (`ulimit -Hn`, `LimitNOFILE=`)",
            self.connections
        ))
    }
}

/// The limit, raised to the hard limit or else to `wanted`; `None` if unlimited.
fn raised(wanted: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let least = limit.maximum.map_or(wanted, |most| most.min(wanted));
    if limit.current != limit.maximum
        && setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).is_err()
    {
        // macOS rejects an infinite limit.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(least.max(limit.current.unwrap_or(0))), ..limit });
    }
    getrlimit(Resource::Nofile).current
}
