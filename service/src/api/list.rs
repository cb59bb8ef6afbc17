//! What all lists share: paging, sorting, leaving out, and the links to the other pages.

use axum::http::Uri;
use generated_server::runtime::server::Failure;

use crate::domain::list::{Exclude, ListQuery, Shape, Sort, Window};

/// Records of a page when nothing is said of its size.
const PAGE_SIZE: u32 = 100;

/// The same for a lookup: the most that may be asked for. Its users fill list boxes, and seldom ask for a second page.
pub(super) const LOOKUP_SIZE: u32 = 1000;

/// The paging parameters of an operation, as its request has them; sizes and numbers are checked against the description.
pub(super) struct Paging<'a> {
    pub(super) sort: Option<&'a str>,
    pub(super) exclude: Option<&'a str>,
    pub(super) page_size: Option<i32>,
    pub(super) page_number: Option<i32>,
}

/// Takes the paging parameters out of a request struct.
macro_rules! paging {
    ($request:expr) => {
        $crate::api::list::Paging {
            sort: $request.sort.as_deref(),
            exclude: $request.exclude.as_deref(),
            page_size: $request.page_size,
            page_number: $request.page_number,
        }
    };
}
pub(super) use paging;

impl Paging<'_> {
    /// The query of a list that answers 100 records when no size is given.
    pub(super) fn paged<F>(&self, filter: F, shape: &Shape) -> Result<ListQuery<F>, Failure> {
        self.query(filter, shape, self.window(PAGE_SIZE))
    }

    /// The query of a lookup, which answers 1000 records when no size is given.
    pub(super) fn lookup<F>(&self, filter: F, shape: &Shape) -> Result<ListQuery<F>, Failure> {
        self.query(filter, shape, self.window(LOOKUP_SIZE))
    }

    /// The part of the list that is asked for.
    pub(super) fn window(&self, default_size: u32) -> Window {
        let size = self.page_size.and_then(|size| u32::try_from(size).ok()).unwrap_or(default_size);
        Window::page(self.number(), size)
    }

    fn query<F>(&self, filter: F, shape: &Shape, window: Window) -> Result<ListQuery<F>, Failure> {
        let bad = |error: crate::domain::list::Error| Failure::bad_request(error.to_string());
        let sort = self.sort.map(|sort| Sort::parse(sort, shape)).transpose().map_err(bad)?.unwrap_or_default();
        let exclude =
            self.exclude.map(|exclude| Exclude::parse(exclude, shape)).transpose().map_err(bad)?.unwrap_or_default();
        Ok(ListQuery { filter, sort, exclude, window })
    }

    /// `Link` (RFC 8288) to the first, previous, next and last page; nothing when there is only one.
    pub(super) fn links(&self, uri: &Uri, window: Window, total: u64) -> Option<String> {
        let size = u64::from(window.limit.filter(|size| *size > 0)?);
        let last = total.div_ceil(size).max(1);
        let number = u64::from(self.number());
        let pages = [
            ("first", Some(1)),
            ("prev", (number > 1).then(|| (number - 1).min(last))),
            ("next", (number < last).then_some(number + 1)),
            ("last", Some(last)),
        ];
        if last == 1 && number == 1 {
            return None;
        }
        let links = pages.iter().filter_map(|(relation, page)| {
            let target = with_parameter(uri, "PageNumber", (*page)?);
            Some(format!("<{target}>; rel=\"{relation}\""))
        });
        Some(links.collect::<Vec<_>>().join(", "))
    }

    /// The number of the page, from 1; 0 is read as 1.
    fn number(&self) -> u32 {
        self.page_number.and_then(|number| u32::try_from(number).ok()).unwrap_or(1).max(1)
    }
}

/// The same address with one query parameter replaced.
pub(super) fn with_parameter(uri: &Uri, name: &str, value: u64) -> String {
    let kept = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty())
        .filter(|pair| !pair.split('=').next().unwrap_or_default().eq_ignore_ascii_case(name));
    let query: Vec<String> = kept.map(str::to_owned).chain([format!("{name}={value}")]).collect();
    format!("{}?{}", uri.path(), query.join("&"))
}

/// A count as the interface counts.
pub(super) fn total(total: u64) -> i32 {
    i32::try_from(total).unwrap_or(i32::MAX)
}

/// Comma-separated ids: `1, 2,3`. One that no record can have is left out.
pub(super) fn ids(name: &str, text: &str) -> Result<Vec<i32>, Failure> {
    let mut ids = Vec::new();
    for id in text.split(',').map(str::trim).filter(|id| !id.is_empty()) {
        let number: i64 = id
            .parse()
            .map_err(|_| Failure::bad_request(format!("`{name}` holds `{id}`; it is a comma-separated list of ids")))?;
        ids.extend(i32::try_from(number));
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paging(page_size: Option<i32>, page_number: Option<i32>) -> Paging<'static> {
        Paging { sort: None, exclude: None, page_size, page_number }
    }

    fn links(size: i32, number: i32, total: u64) -> Option<String> {
        let paging = paging(Some(size), Some(number));
        let uri: Uri = "/list?Filter.Name=a%26b&pagenumber=7&PageSize=10".parse().expect("a URI");
        paging.links(&uri, paging.window(100), total)
    }

    #[test]
    fn links_keep_the_filter_and_stop_at_the_ends() {
        let page =
            |number, relation| format!("</list?Filter.Name=a%26b&PageSize=10&PageNumber={number}>; rel=\"{relation}\"");
        let expected = [page(1, "first"), page(1, "prev"), page(3, "next"), page(3, "last")].join(", ");
        assert_eq!(links(10, 2, 25), Some(expected));
        assert_eq!(links(10, 3, 25), Some([page(1, "first"), page(2, "prev"), page(3, "last")].join(", ")));
        assert_eq!(links(10, 9, 25), Some([page(1, "first"), page(3, "prev"), page(3, "last")].join(", ")));
        assert_eq!(links(10, 1, 10), None);
    }

    #[test]
    fn zero_is_the_first_page_and_no_size_a_bounded_one() {
        assert_eq!(paging(Some(10), Some(0)).window(100), Window { offset: 0, limit: Some(10) });
        assert_eq!(paging(None, Some(3)).window(100), Window { offset: 200, limit: Some(100) });
        assert_eq!(paging(None, None).window(LOOKUP_SIZE), Window { offset: 0, limit: Some(1000) });
    }
}
