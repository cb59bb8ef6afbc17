//! Names in Rust: the same on the wire, and code that has to be changed.

use super::change::Party;
use super::rule::Rule;
use super::site::{Context, Site};

/// Compares a name; `kind` is what bears it: ``the field``.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, kind: &str, old: &str, new: &str) {
    if old != new {
        changed(context, site, kind, old, new);
    }
}

/// Reports another name.
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

/// Compares the names of the variant that the client alone has.
pub(super) fn compare_unknown(context: &mut Context<'_>, site: &Site<'_>, old: &str, new: &str) {
    if old != new {
        let message = format!("unknown values of {} are the client's variant `{new}`, not `{old}`", site.what);
        context
            .report(Rule::NameChanged, site, message)
            .breaking(Party::Rust, "code that names it has to be changed; nothing changes on the wire");
    }
}
