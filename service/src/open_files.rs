//! The limit of open files, of which every connection takes one.

/// Files that are open in addition to connections: the store, its log, files that are received or sent.
const OTHERS: u64 = 512;
/// Connections that a service of any use has.
const FEW: usize = 1000;

/// How many connections the limit of open files has room for, once it is raised as far as the system lets it.
#[derive(Clone, Copy, Debug)]
pub struct OpenFiles {
    /// The limit; `None` when there is none.
    limit: Option<u64>,
    /// Connections that have room, at most as many as are wanted.
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

    /// What to do about a limit with room for few connections.
    pub fn shortage(&self) -> Option<String> {
        let limit = self.limit.filter(|_| self.connections < self.wanted.min(FEW))?;
        Some(format!(
            "{limit} files may be open, which is enough for {} connections: raise the limit (`ulimit -Hn`, `LimitNOFILE=`)",
            self.connections
        ))
    }
}

/// The limit, raised to the hard one or, where the system does not take that, to `wanted`; none when there is no limit.
#[cfg(unix)]
fn raised(wanted: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let least = limit.maximum.map_or(wanted, |most| most.min(wanted));
    if limit.current != limit.maximum
        && setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).is_err()
    {
        // macOS takes no infinite one.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(least.max(limit.current.unwrap_or(0))), ..limit });
    }
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn raised(_: u64) -> Option<u64> {
    None
}
