//! Names of nested members: `outer[inner]`, as in forms and `deepObject`.

/// Splits `outer[inner]`; of `outer[inner][more]` the second part is `inner[more]`.
pub(super) fn inner(name: &str) -> Option<(&str, String)> {
    let (outer, rest) = name.split_at(name.find('[')?);
    Some((outer, inside(rest)?))
}

/// What stands in brackets after the name of an object: `inner` for `[inner]`, `inner[more]` for `[inner][more]`.
pub(super) fn inside(rest: &str) -> Option<String> {
    let (inner, more) = rest.strip_prefix('[')?.split_once(']')?;
    (more.is_empty() || more.starts_with('[')).then(|| format!("{inner}{more}"))
}

/// Joins a name that [`inner`] splits.
pub(super) fn outer(outer: &str, inner: &str) -> String {
    match inner.split_once('[') {
        Some((inner, more)) => format!("{outer}[{inner}][{more}"),
        None => format!("{outer}[{inner}]"),
    }
}
