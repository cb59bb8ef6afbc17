//! Properties of the whole description: its servers, and how names are matched.

use super::change::Party;
use super::rule::Rule;
use super::site::{Context, Site};

pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>) {
    let (old, new) = (context.old, context.new);
    for url in new.servers.iter().filter(|url| !old.servers.contains(url)) {
        context
            .report(Rule::ServerAdded, site, format!("there is a server at `{url}`"))
            .harmless(Party::Callers, "clients go on calling the one they know");
    }
    for url in old.servers.iter().filter(|url| !new.servers.contains(url)) {
        context
            .report_gone(Rule::ServerRemoved, site, format!("the server `{url}` was removed"))
            .breaking(Party::Callers, "calls to it fail");
    }
    if old.any_case && !new.any_case {
        context
            .report(Rule::LetterCaseMatters, site, "names have to be written as the description does")
            .breaking(Party::Callers, "names in other letters were accepted and are not found");
    } else if new.any_case && !old.any_case {
        context
            .report(Rule::LetterCaseIgnored, site, "names are matched in any letter case")
            .harmless(Party::Callers, "names as before still match");
    }
}
