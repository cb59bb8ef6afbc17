//! The limit of open files, of which every connection takes one.

/// Open files other than connections: the store, its log, files being received or sent.
const OTHERS: u64 = 512;
/// The minimum number of useful connections.
const FEW: usize = 1000;

/// The number of connections within the limit of open files, after raising it as far as possible.
#[derive(Clone, Copy, Debug)]
pub struct OpenFiles {
    limit: u64,
    /// The number of connections, at most the wanted one.
    pub connections: usize,
    wanted: usize,
}

impl OpenFiles {
    /// Raises the limit of this process for `wanted` connections.
    pub fn raise(wanted: usize) -> Self {
        // Where limits cannot be changed, there are none.
        let limit = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX);
        let room = limit.saturating_sub(OTHERS).max(limit / 2);
        Self { limit, connections: wanted.min(usize::try_from(room).unwrap_or(usize::MAX)), wanted }
    }

    /// Advice if the limit allows too few connections.
    pub fn shortage(&self) -> Option<String> {
        (self.connections < self.wanted.min(FEW)).then(|| {
            format!(
                "{} files may be open, which is enough for {} connections: raise the limit (`ulimit -Hn`, `LimitNOFILE=`)",
                self.limit, self.connections
            )
        })
    }
}
