//! Paging, sorting, excluding, and page links, shared by all lists.

use axum::http::Uri;
use generated_server::runtime::server::{Common, Failure};

use crate::domain::list::{Exclude, Filter, ListQuery, Listed, Members, Sort, Window};

/// The paging parameters of a request; the description limits them.
pub(super) struct Paging<'a> {
    pub(super) sort: Option<&'a str>,
    pub(super) exclude: Option<&'a str>,
    /// Lookups without it return all rows.
    pub(super) page_size: Option<i32>,
    pub(super) page_number: i32,
    pub(super) after: Option<i32>,
}

/// Takes the paging parameters from a request struct.
macro_rules! paging {
    ($request:expr) => {
        $crate::api::list::Paging {
            sort: $request.sort.as_deref(),
            exclude: $request.exclude.as_deref(),
            page_size: $request.page_size.into(),
            page_number: $request.page_number,
            after: $request.after,
        }
    };
}
pub(super) use paging;

/// The body of a successful answer.
macro_rules! answer {
    ($body:ident, $result:expr $(, total: $total:expr)?) => {
        $body {
            success: Some(true),
            result: $result.into(),
            $(total_records: Some($crate::api::list::total($total)),)?
            ..Default::default()
        }
    };
}
pub(super) use answer;

impl Paging<'_> {
    /// The requested part of the list.
    pub(super) fn window(&self) -> Window {
        let window = match self.page_size {
            Some(size) => Window::page(self.number(), size.unsigned_abs()),
            // Without a size, the first page has all rows.
            None => Window { limit: (self.number() > 1).then_some(0), ..Window::default() },
        };
        Window { after: self.after, ..window }
    }

    /// The query of the list.
    pub(super) fn query(&self, filter: Filter, list: &dyn Members) -> Result<ListQuery, Failure<Common>> {
        let bad = |error: crate::domain::list::Error| Failure::bad_request(error.to_string());
        let sort = self.sort.map(|sort| Sort::parse(sort, list)).transpose().map_err(bad)?.unwrap_or_default();
        let exclude =
            self.exclude.map(|exclude| Exclude::parse(exclude, list)).transpose().map_err(bad)?.unwrap_or_default();
        Ok(ListQuery { filter, sort, exclude, window: self.window() })
    }

    /// `Link` (RFC 8288) to the first, previous, next and last page; nothing when there is only one. In the order of ids the next
    /// page begins behind the last record of this one, whatever is written meanwhile.
    pub(super) fn links<T>(&self, uri: &Uri, listed: &Listed<T>) -> Option<String> {
        let size = u64::from(self.window().limit.filter(|size| *size > 0)?);
        let last = listed.total.div_ceil(size).max(1);
        let number = u64::from(self.number());
        if last == 1 && number == 1 && self.after.is_none() && !listed.is_cut {
            return None;
        }
        let page = |number| with_parameters(uri, &[("PageNumber", Some(number)), ("After", None)]);
        let is_full = listed.records.len() as u64 == size || listed.is_cut;
        let (previous, next) = match (self.after, listed.last) {
            (Some(_), Some(id)) => (None, is_full.then(|| behind(uri, id))),
            (Some(_), None) => {
                let at = |number| with_parameters(uri, &[("PageNumber", Some(number))]);
                ((number > 1).then(|| at(number - 1)), is_full.then(|| at(number + 1)))
            }
            (None, id) => {
                let next = || id.map_or_else(|| page(number + 1), |id| behind(uri, id));
                ((number > 1).then(|| page((number - 1).min(last))), (number < last || listed.is_cut).then(next))
            }
        };
        let pages = [("first", Some(page(1))), ("prev", previous), ("next", next), ("last", Some(page(last)))];
        let links =
            pages.into_iter().filter_map(|(relation, target)| Some(format!("<{}>; rel=\"{relation}\"", target?)));
        Some(links.collect::<Vec<_>>().join(", "))
    }

    /// The page number, starting at 1; 0 means 1.
    fn number(&self) -> u32 {
        self.page_number.unsigned_abs().max(1)
    }
}

/// The URI of the page after a record.
fn behind(uri: &Uri, id: i64) -> String {
    with_parameters(uri, &[("PageNumber", None), ("After", u64::try_from(id).ok())])
}

/// The URI with query parameters replaced or removed.
pub(super) fn with_parameters(uri: &Uri, parameters: &[(&str, Option<u64>)]) -> String {
    let is_kept = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        !pair.is_empty() && !parameters.iter().any(|(other, _)| name.eq_ignore_ascii_case(other))
    };
    let kept = uri.query().unwrap_or_default().split('&').filter(is_kept).map(str::to_owned);
    let set = parameters.iter().filter_map(|(name, value)| Some(format!("{name}={}", (*value)?)));
    format!("{}?{}", uri.path(), kept.chain(set).collect::<Vec<_>>().join("&"))
}

/// A count in the type of the interface.
pub(super) fn total(total: u64) -> i32 {
    i32::try_from(total).unwrap_or(i32::MAX)
}

/// Comma-separated ids: `1, 2,3`. Ids out of range are dropped.
pub(super) fn ids(name: &str, text: &str) -> Result<Vec<i32>, Failure<Common>> {
    let mut ids = Vec::new();
    for id in text.split(',').map(str::trim).filter(|id| !id.is_empty()) {
        let number: i64 = id
            .parse()
            .map_err(|_| Failure::bad_request(format!("`{name}` holds `{id}`; it is a comma-separated list of ids")))?;
        ids.extend(i32::try_from(number));
    }
    Ok(ids)
}
