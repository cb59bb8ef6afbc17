//! Names of members inside members: `outer[inner]`, as forms and `deepObject` have them.

/// Takes `outer[inner]` apart; of `outer[inner][more]` the second part is `inner[more]`.
pub(super) fn inner(name: &str) -> Option<(&str, String)> {
    let (outer, rest) = name.split_once('[')?;
    let (inner, more) = rest.split_once(']')?;
    (more.is_empty() || more.starts_with('[')).then(|| (outer, format!("{inner}{more}")))
}

/// Puts a name together that [`inner`] takes apart.
pub(super) fn outer(outer: &str, inner: &str) -> String {
    match inner.split_once('[') {
        Some((inner, more)) => format!("{outer}[{inner}][{more}"),
        None => format!("{outer}[{inner}]"),
    }
}
