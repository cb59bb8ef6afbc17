//! Finds the operations that a request may be for.

use specwright_exchange::Operation;

/// The path without that of the server, and the operations with this path; `None` if there are none.
pub(crate) fn at<'p>(
    operations: &'static [Operation],
    base_path: &str,
    path: &'p str,
) -> Option<(&'p str, Vec<&'static Operation>)> {
    let within = path.strip_prefix(base_path).filter(|path| path.starts_with('/'));
    let at = |path: &str| operations.iter().filter(|operation| operation.is_at(path)).collect::<Vec<_>>();
    within.into_iter().chain([path]).map(|path| (path, at(path))).find(|(_, found)| !found.is_empty())
}

/// Those that a request with this method and query may call: the most concrete paths.
pub(crate) fn called(mut found: Vec<&'static Operation>, method: &str, query: Option<&str>) -> Vec<&'static Operation> {
    let is_called = |method: &str| found.iter().any(|operation| operation.method == method);
    let method = if method == "HEAD" && !is_called("HEAD") { "GET" } else { method };
    found.retain(|operation| operation.method == method);
    let first = found.iter().map(|operation| operation.rank()).min();
    found.retain(|operation| Some(operation.rank()) == first);
    let has_fixed = |operation: &&Operation| operation.has_fixed(query);
    if found.iter().any(has_fixed) {
        found.retain(has_fixed);
    }
    found
}

/// The first operation whose rules the request keeps, or the first one with its violations.
pub(crate) fn kept<V>(
    found: Vec<&'static Operation>,
    mut check: impl FnMut(&'static Operation) -> Vec<V>,
) -> Option<(&'static Operation, Vec<V>)> {
    let mut first = None;
    for operation in found {
        let violations = check(operation);
        if violations.is_empty() {
            return Some((operation, violations));
        }
        first.get_or_insert((operation, violations));
    }
    first
}
