//! `servers`: their URLs, variables filled in.

use openapiv3::Server;

use super::Site;
use crate::diagnostic::Code;
use crate::location::Location;
use crate::lower::reporter::Reporter;
use crate::upgrade::Document;

/// The URLs, with variables replaced by their defaults.
pub(crate) fn urls(document: &Document) -> Vec<String> {
    document.openapi.servers.iter().map(url).collect()
}

pub(super) fn url(server: &Server) -> String {
    let variables = server.variables.iter().flatten();
    variables.fold(server.url.clone(), |url, (name, variable)| url.replace(&format!("{{{name}}}"), &variable.default))
}

/// The server of one operation, from itself or its path.
pub(crate) fn own_server(
    reporter: &mut Reporter<'_>,
    item: &openapiv3::PathItem,
    operation: &openapiv3::Operation,
    site: &Site<'_>,
) -> Option<String> {
    let of_item = (item.servers.as_slice(), &site.item);
    let (servers, place) = match (operation.servers.as_slice(), of_item) {
        ([], of_item) => of_item,
        (own, _) => (own, &site.location),
    };
    let first = servers.first()?;
    let place = place.member("servers").item(0).member("url");
    let url = url(first);
    report_unusable(reporter, &url, &place).then_some(url)
}

/// Reports a server that requests cannot be sent to.
fn report_unusable(reporter: &mut Reporter<'_>, url: &str, place: &Location) -> bool {
    let problem = if url.contains(['{', '}']) {
        "has a variable without a value"
    } else if url.contains(['?', '#']) {
        "has a query or a fragment"
    } else if url.split('/').any(|segment| matches!(segment, "." | "..")) {
        "leads upwards"
    } else {
        return true;
    };
    reporter
        .report(Code::NotUsed, place, format!("the server `{url}` {problem}, and is not used"))
        .help("the base URL of the client counts for this operation");
    false
}
