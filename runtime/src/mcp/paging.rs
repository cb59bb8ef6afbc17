//! How a caller gets the rest of a list.

use http::HeaderMap;
use reqwest::Url;

use super::Tool;
use crate::arguments::Place;
use crate::client::{Pagination, next_link};
use crate::json::Value;

/// Which arguments give the next page, if the response names one.
pub(super) fn next(tool: &Tool, arguments: &Value, url: &Url, headers: &HeaderMap) -> Option<String> {
    let next = url.join(next_link(headers)?).ok()?;
    let in_query = tool.arguments.parameters.iter().filter(|parameter| parameter.place == Place::Query);
    let changes = in_query.filter_map(|parameter| {
        let (_, value) = next.query_pairs().find(|(name, _)| name == parameter.name)?;
        let given = arguments
            .get(parameter.argument)
            .map(|given| given.as_str().map_or_else(|| given.to_string(), str::to_owned));
        (given.as_deref() != Some(&value)).then(|| format!("`{}` = {value}", parameter.argument))
    });
    let changes: Vec<_> = changes.collect();
    let changes = if changes.is_empty() { return None } else { changes.join(", ") };
    Some(format!("There is a next page: call the tool again with {changes}."))
}

/// How to ask for less.
pub(super) fn less(tool: &Tool) -> String {
    let argument = |name: &str| {
        let found = tool
            .arguments
            .parameters
            .iter()
            .find(|parameter| parameter.place == Place::Query && parameter.name == name);
        format!("`{}`", found.map_or(name, |parameter| parameter.argument))
    };
    match tool.arguments.operation.pagination {
        Pagination::PageNumber { page, size, .. } => {
            format!("Ask for fewer items with {}, and for the next page with {}.", argument(size), argument(page))
        }
        Pagination::Offset { offset, limit, .. } => {
            format!("Ask for fewer items with {}, and for the next ones with {}.", argument(limit), argument(offset))
        }
        Pagination::Cursor { parameter } => {
            format!("Ask for the next page with {}, which takes the cursor of this one.", argument(parameter))
        }
        Pagination::Url | Pagination::Link | Pagination::None => {
            "Ask for less, if the tool has arguments for that.".to_owned()
        }
    }
}
