//! The `Link` header (RFC 8288).

use http::HeaderMap;
use http::header::LINK;

/// The target of the link with the relation `next`.
pub(crate) fn next(headers: &HeaderMap) -> Option<&str> {
    headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok()).find_map(next_of)
}

fn next_of(mut links: &str) -> Option<&str> {
    loop {
        let (_, rest) = links.split_once('<')?;
        let (target, rest) = rest.split_once('>')?;
        let (parameters, rest) = rest.split_at(end(rest));
        if parameters.split(';').any(is_next) {
            return Some(target);
        }
        links = rest;
    }
}

/// The end of the parameters of a link: a comma outside of quotes.
fn end(parameters: &str) -> usize {
    let mut quoted = false;
    parameters
        .find(|character| {
            quoted ^= character == '"';
            character == ',' && !quoted
        })
        .unwrap_or(parameters.len())
}

/// `rel` is a list of relations, separated by spaces.
fn is_next(parameter: &str) -> bool {
    parameter.split_once('=').is_some_and(|(name, value)| {
        name.trim().eq_ignore_ascii_case("rel")
            && value.trim().trim_matches('"').split_whitespace().any(|relation| relation.eq_ignore_ascii_case("next"))
    })
}
