//! Names in Rust: the wire does not change, but code does.

use super::change::Party;
use super::rule::Rule;
use super::site::{Context, Site};

/// Compares a name; `kind` is the named thing: ``the field``.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, kind: &str, old: &str, new: &str) {
    if old != new {
        changed(context, site, kind, old, new);
    }
}

/// Reports a changed name.
pub(super) fn changed(context: &mut Context<'_>, site: &Site<'_>, kind: &str, old: &str, new: &str) {
    let message = if site.what.trim_matches('`') == new {
        format!("{kind} {} was called `{old}`", site.what)
    } else {
        format!("{kind} of {} is called `{new}` in Rust, not `{old}`", site.what)
    };
    context
        .report(Rule::NameChanged, site, message)
        .breaking_code("code that names it has to be changed; nothing changes on the wire");
}

/// Compares the names of the client's variant for unknown values.
pub(super) fn compare_unknown(context: &mut Context<'_>, site: &Site<'_>, old: &str, new: &str) {
    if old != new {
        let message = format!("unknown values of {} are the client's variant `{new}`, not `{old}`", site.what);
        context
            .report(Rule::NameChanged, site, message)
            .breaking(Party::Rust, "code that names it has to be changed; nothing changes on the wire");
    }
}
