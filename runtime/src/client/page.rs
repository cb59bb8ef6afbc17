//! Pages of lists, and the request of the next page.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use http::HeaderMap;
use reqwest::Url;

#[cfg(feature = "cli")]
use super::Request;
use super::answer::Unreadable;
use super::link;
use super::operation::Pagination;
use super::parts::Parts;

/// A value that is a page of a list.
pub trait Page {
    /// The type of the items.
    type Item;

    /// The number of items of the page.
    fn count(&self) -> usize;

    /// The number of items on all pages, if the page contains it.
    fn total(&self) -> Option<u64> {
        None
    }

    /// The cursor or the URL of the next page, if the page contains it and there is one.
    fn next(&self) -> Option<String> {
        None
    }

    /// The items.
    fn into_items(self) -> Vec<Self::Item>;
}

impl<T> Page for Vec<T> {
    type Item = T;

    fn count(&self) -> usize {
        self.len()
    }

    fn into_items(self) -> Vec<T> {
        self
    }
}

#[cfg(feature = "cli")]
impl Request {
    /// Makes it the request of the first page.
    pub(crate) fn of_page(mut self) -> (Self, Position) {
        let position = Position::begin(&mut self.parts);
        (self, position)
    }

    /// A copy; `None` if the body is a stream.
    pub(crate) fn again(&self) -> Option<Self> {
        Some(Self { parts: Box::new(self.parts.again()?) })
    }
}

/// How far a list has been read.
#[derive(Debug)]
pub(crate) struct Position {
    /// Whether neither the caller nor the description chose the page size, so that a server may return shorter pages.
    is_size_assumed: bool,
    /// The number of items before the next page; `None` until the first page has been read.
    items: Option<u64>,
    /// The hash of the page before, if only its items say whether there is a next one.
    last: Option<u64>,
    /// The values by which pages have been requested.
    cursors: HashSet<String>,
}

/// The information of a page about the list.
#[derive(Debug)]
pub(crate) struct Facts<'page> {
    pub(crate) count: u64,
    pub(crate) total: Option<u64>,
    pub(crate) next: Option<String>,
    pub(crate) headers: &'page HeaderMap,
    pub(crate) body: &'page [u8],
    pub(crate) url: &'page Url,
}

impl Parts {
    /// A copy; `None` if the body is a stream.
    pub(super) fn again(&self) -> Option<Self> {
        let body = match &self.body {
            Some(body) => Some(body.again()?),
            None => None,
        };
        Some(Self {
            client: self.client.clone(),
            operation: self.operation,
            server: self.server,
            to: self.to.clone(),
            path: self.path.clone(),
            query: self.query.clone(),
            headers: self.headers.clone(),
            cookies: self.cookies.clone(),
            body,
            timeout: self.timeout,
            retry: self.retry.clone(),
            page: self.page.clone(),
            // A request with a problem is never sent.
            problem: None,
        })
    }

    /// Adds a query parameter that the caller has not set. Returns whether it did.
    fn set_missing_query(&mut self, name: &'static str, number: u64) -> bool {
        let is_missing = self.query_text(name).is_none();
        if is_missing {
            self.set_query(name, &number.to_string());
        }
        is_missing
    }

    /// The text of a query parameter.
    fn query_text(&self, name: &str) -> Option<&str> {
        let (_, written) = self.query.iter().find(|(found, _)| found == name)?;
        written.split_once('=').map(|(_, text)| text)
    }
}

impl Position {
    /// Makes a request that of the first page, with its number, so that the next one has the number after it, and with a
    /// page size: without it, a server may return everything at once, and a second page could not be told from the first.
    pub(super) fn begin(request: &mut Parts) -> Self {
        let is_size_assumed = match request.operation.pagination {
            Pagination::PageNumber { page, first, size, default_size } => {
                request.set_missing_query(page, first);
                request.set_missing_query(size, default_size.number()) && default_size.is_assumed()
            }
            Pagination::Offset { limit, default_limit, .. } => {
                request.set_missing_query(limit, default_limit.number()) && default_limit.is_assumed()
            }
            Pagination::None | Pagination::Cursor { .. } | Pagination::Url | Pagination::Link => false,
        };
        Self { is_size_assumed, items: None, last: None, cursors: HashSet::new() }
    }

    /// Turns the request of a page into that of the next page. Returns `false` after the last page.
    pub(super) fn advance(&mut self, request: &mut Parts, page: &Facts<'_>) -> Result<bool, Unreadable> {
        self.advance_by(request.operation.pagination, request, page)
    }

    fn advance_by(
        &mut self,
        pagination: Pagination,
        request: &mut Parts,
        page: &Facts<'_>,
    ) -> Result<bool, Unreadable> {
        match pagination {
            Pagination::None => Ok(false),
            Pagination::PageNumber { page: parameter, first, size, default_size } => {
                let size = number(request, size).unwrap_or(default_size.number());
                let current = number(request, parameter).unwrap_or(first);
                let length = if self.is_size_assumed { page.count.min(size) } else { size };
                let before = current.saturating_sub(first).saturating_mul(length);
                let more = self.has_more(before, size, page)?;
                if more {
                    request.set_query(parameter, &current.saturating_add(1).to_string());
                }
                Ok(more)
            }
            Pagination::Offset { offset, limit, default_limit } => {
                let limit = number(request, limit).unwrap_or(default_limit.number());
                let current = number(request, offset).unwrap_or(0);
                let more = self.has_more(current, limit, page)?;
                if more {
                    request.set_query(offset, &current.saturating_add(page.count).to_string());
                }
                Ok(more)
            }
            Pagination::Cursor { parameter } => {
                let Some(cursor) = page.next.as_deref().filter(|cursor| !cursor.is_empty()) else { return Ok(false) };
                self.remember(cursor)?;
                request.set_query(parameter, cursor);
                Ok(true)
            }
            Pagination::Url => self.follow(page.next.as_deref().filter(|url| !url.is_empty()), request, page),
            Pagination::Link => self.follow(link::next(page.headers), request, page),
        }
    }

    /// Makes the request one of the URL `target`.
    fn follow(&mut self, target: Option<&str>, request: &mut Parts, page: &Facts<'_>) -> Result<bool, Unreadable> {
        let Some(target) = target else { return Ok(false) };
        let url = page.url.join(target).map_err(|_| refuse(target, "is not a URL"))?;
        // The credentials of the client are sent along.
        if Url::parse(&request.base()).is_ok_and(|base| base.origin() != url.origin()) {
            return Err(refuse(target, "is on another server"));
        }
        self.remember(url.as_str())?;
        request.page = Some(url);
        Ok(true)
    }

    /// The same for a request whose pages have no type. A list without `x-pagination` may link to its pages.
    #[cfg(feature = "cli")]
    pub(crate) fn turn(&mut self, request: &mut Request, page: &Facts<'_>) -> Result<bool, Unreadable> {
        let pagination = match request.parts.operation.pagination {
            Pagination::None => Pagination::Link,
            described => described,
        };
        self.advance_by(pagination, &mut request.parts, page)
    }

    /// Whether items follow this page; `before` is the number of items before it if no page has been read yet.
    fn has_more(&mut self, before: u64, size: u64, page: &Facts<'_>) -> Result<bool, Unreadable> {
        let items = self.items.unwrap_or(before).saturating_add(page.count);
        self.items = Some(items);
        Ok(match page.total {
            _ if page.count == 0 => false,
            // A total below the number of items read is not a count.
            Some(total) if total >= page.count => items < total,
            Some(_) | None if self.is_size_assumed => {
                self.changed(page.body)?;
                true
            }
            // A server may return shorter pages than requested, if it says that there are more.
            Some(_) | None => page.count >= size || link::next(page.headers).is_some(),
        })
    }

    /// A server that returns its last page instead of an empty one would start a loop.
    fn changed(&mut self, body: &[u8]) -> Result<(), Unreadable> {
        let mut hasher = DefaultHasher::new();
        body.hash(&mut hasher);
        let hash = Some(hasher.finish());
        if std::mem::replace(&mut self.last, hash) == hash {
            return Err(Unreadable::new("it is the same as the page before it, so the list has no end"));
        }
        Ok(())
    }

    /// A page that has been requested before would start a loop.
    fn remember(&mut self, cursor: &str) -> Result<(), Unreadable> {
        if self.cursors.insert(cursor.to_owned()) {
            Ok(())
        } else {
            Err(refuse(cursor, "has been the next page before"))
        }
    }
}

fn number(request: &Parts, parameter: &str) -> Option<u64> {
    request.query_text(parameter)?.parse().ok()
}

fn refuse(target: &str, problem: &str) -> Unreadable {
    Unreadable::new(format!("its next page, `{target}`, {problem}"))
}
