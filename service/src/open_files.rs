//! The limit of open files, of which every connection takes one.

use crate::config::Limits;

/// Files that are open beside connections: the store, its log, files that go in or out.
const BESIDE: u64 = 512;

/// Raises the limit of this process as far as the system lets it; says so when that is too little for the connections that
/// the settings allow.
pub fn raise(limits: &Limits) -> Option<String> {
    let wanted = (limits.connections as u64).saturating_add(BESIDE);
    let may_have = raised(wanted)?;
    (may_have < wanted).then(|| {
        format!(
            "{may_have} files may be open, and `limits.connections` is {}: connections beyond the files wait. Raise the limit \
             (`ulimit -Hn`, `LimitNOFILE=`) to {wanted}, or lower the setting",
            limits.connections
        )
    })
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
