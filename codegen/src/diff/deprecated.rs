//! Compares `deprecated`.

use super::change::Party;
use super::rule::Rule;
use super::site::{Context, Site};

/// Compares `deprecated`.
pub(super) fn deprecated(context: &mut Context<'_>, site: &Site<'_>, old: bool, new: bool) {
    if new && !old {
        context
            .report(Rule::Deprecated, site, format!("{} is deprecated now", site.what))
            .notice(Party::Callers, "it may go away")
            .notice(Party::Rust, "the compiler warns of its use");
    } else if old && !new {
        let message = format!("{} is not deprecated any more", site.what);
        context.report(Rule::NoLongerDeprecated, site, message).harmless(Party::Callers, "it stays");
    }
}
