//! An operation as data, as far as sending and receiving need it.

use std::fmt::{self, Display, Formatter};

use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode};

use super::security::Security;
use crate::media_type::is_json;

/// One operation of the description.
#[derive(Debug)]
pub struct Operation {
    /// `operationId`
    pub id: &'static str,
    /// The HTTP method, such as `GET`.
    pub method: &'static str,
    /// The path template.
    pub path: &'static str,
    /// The credentials that it requires.
    pub security: Security,
    /// The responses that are values; `default` is one only with a status below 400.
    pub success: &'static [Declared],
    /// The responses that are errors.
    pub failure: &'static [Declared],
    /// The pagination.
    pub pagination: Pagination,
}

/// The way in which the pages of an operation are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pagination {
    /// The operation has no pages.
    None,
    /// By page number.
    PageNumber {
        /// The query parameter with the page number.
        page: &'static str,
        /// The number of the first page.
        first: u64,
        /// The query parameter with the page size.
        size: &'static str,
        /// The page size that is requested unless the caller sets one.
        default_size: PageSize,
    },
    /// By offset: the number of items before the page.
    Offset {
        /// The query parameter with the offset.
        offset: &'static str,
        /// The query parameter with the page size.
        limit: &'static str,
        /// The page size that is requested unless the caller sets one.
        default_limit: PageSize,
    },
    /// By a cursor in the previous page, or by its last item.
    Cursor {
        /// The query parameter with the cursor.
        parameter: &'static str,
    },
    /// By the URL in the body of the previous page.
    Url,
    /// By the `Link` header of the previous page.
    Link,
}

/// The page size that is requested unless the caller sets one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSize {
    /// The default that the description declares. A shorter page is the last one.
    Described(u64),
    /// A common size, because the description declares no default. A server may return shorter pages, so only an empty
    /// page is the last one.
    Assumed(u64),
}

#[cfg(feature = "pages")]
impl PageSize {
    /// The number of items.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Described(number) | Self::Assumed(number) => number,
        }
    }

    /// Whether it is not from the description.
    pub(super) fn is_assumed(self) -> bool {
        matches!(self, Self::Assumed(_))
    }
}

/// Responses that the description declares.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Their statuses.
    pub status: Status,
    /// The contents of their bodies; empty for responses without a body.
    pub contents: &'static [Content],
}

/// A declared content of a body.
#[derive(Clone, Copy, Debug)]
pub struct Content {
    /// The media types, which may be ranges; the preferred one is first.
    pub media_types: &'static [&'static str],
    /// Whether the body is returned as a stream.
    pub streamed: bool,
}

/// A key of `responses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Codes such as `200` and `404`, whose bodies have the same contents.
    Codes(&'static [u16]),
    /// `4` for `4XX`
    Range(u8),
    /// `default`
    Default,
}

/// The meaning of a status for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Success,
    Failure,
    Undeclared,
}

impl Operation {
    /// The HTTP method. The text is always valid.
    pub(crate) fn method(&self) -> Method {
        Method::from_bytes(self.method.as_bytes()).unwrap_or_default()
    }

    /// Whether the description declares a redirection, which the transport must not follow.
    pub(super) fn describes_redirections(&self) -> bool {
        let is_redirection = |declared: &Declared| match declared.status {
            Status::Codes(codes) => codes.iter().any(|code| matches!(code, 301 | 302 | 303 | 307 | 308)),
            Status::Range(hundred) => hundred == 3,
            Status::Default => false,
        };
        self.success.iter().chain(self.failure).any(is_redirection)
    }

    /// The meaning of `status`. An exact code precedes a range, and a range precedes `default`. A `default` that is a
    /// value does not mean statuses from 400 on.
    pub(super) fn outcome(&self, status: StatusCode) -> (Outcome, &'static [Content]) {
        let of = |declared: &'static [Declared], outcome| {
            let means = move |declared: &&Declared| {
                outcome != Outcome::Success || declared.status != Status::Default || status.as_u16() < 400
            };
            let declared = declared.iter().filter(means);
            declared.map(move |declared| (declared.status.precision(status), outcome, declared.contents))
        };
        of(self.success, Outcome::Success)
            .chain(of(self.failure, Outcome::Failure))
            .filter_map(|(precision, outcome, contents)| Some((precision?, outcome, contents)))
            .max_by_key(|(precision, ..)| *precision)
            .map_or((Outcome::Undeclared, &[]), |(_, outcome, contents)| (outcome, contents))
    }

    /// The `Accept` header: the preferred media type of each content, or all of them if they differ. Media types of
    /// failures come last, so that a server that negotiates failures prefers those of values.
    pub(super) fn accept(&self) -> Option<HeaderValue> {
        let of = |responses: &'static [Declared], quality| {
            let contents = responses.iter().flat_map(|declared| declared.contents);
            contents.flat_map(Content::accepted).map(move |media_type| (*media_type, quality))
        };
        let all = || of(self.success, "").chain(of(self.failure, ";q=0.9"));
        let first = all().next().map_or("*/*", |(media_type, _)| media_type);
        if all().all(|(media_type, _)| media_type == first) {
            return HeaderValue::from_maybe_shared(Bytes::from_static(first.as_bytes())).ok();
        }
        let mut accept = first.to_owned();
        for (index, (media_type, quality)) in all().enumerate().skip(1) {
            if all().take(index).all(|(named, _)| named != media_type) {
                accept.extend([", ", media_type, quality]);
            }
        }
        HeaderValue::try_from(accept).ok()
    }
}

/// The method and the path template, such as `GET /accounts/{id}`.
impl Display for Operation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.method, self.path)
    }
}

impl Declared {
    /// The responses with these statuses.
    pub const fn codes(codes: &'static [u16], contents: &'static [Content]) -> Self {
        Self { status: Status::Codes(codes), contents }
    }

    /// The response with a status of this hundred.
    pub const fn range(hundred: u8, contents: &'static [Content]) -> Self {
        Self { status: Status::Range(hundred), contents }
    }

    /// The response with any other status; below 400 if it is a value.
    pub const fn default(contents: &'static [Content]) -> Self {
        Self { status: Status::Default, contents }
    }
}

impl Content {
    /// No body.
    pub const NONE: &'static [Self] = &[];
    /// JSON only.
    pub const JSON: &'static [Self] = &[Self::whole(&["application/json"])];

    /// A body that is read as a whole.
    pub const fn whole(media_types: &'static [&'static str]) -> Self {
        Self { media_types, streamed: false }
    }

    /// A body that is returned as a stream.
    pub const fn streamed(media_types: &'static [&'static str]) -> Self {
        Self { media_types, streamed: true }
    }

    /// All JSON media types have one format; other media types do not.
    fn accepted(&self) -> &'static [&'static str] {
        match self.media_types {
            [first, _, ..] if is_json(first) => &self.media_types[..1],
            all => all,
        }
    }
}

impl Status {
    /// How exactly this key names `status`; `None` if it does not.
    fn precision(self, status: StatusCode) -> Option<u8> {
        match self {
            Self::Codes(codes) => codes.contains(&status.as_u16()).then_some(2),
            Self::Range(hundred) => (u16::from(hundred) == status.as_u16() / 100).then_some(1),
            Self::Default => Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn operation(success: &'static [Declared], failure: &'static [Declared]) -> Operation {
        let security = Security::NONE;
        Operation { id: "", method: "GET", path: "/", security, success, failure, pagination: Pagination::None }
    }

    #[test]
    fn the_most_exact_key_decides() {
        const DEFAULT: &[Declared] = &[Declared::default(Content::NONE)];
        const CLIENT_ERRORS: &[Declared] = &[Declared::range(4, Content::NONE)];
        const OK: &[Declared] = &[Declared::codes(&[200], Content::NONE)];
        use Outcome::{Failure, Success, Undeclared};
        for (operation, expected) in [
            (operation(DEFAULT, &[]), [Success, Success, Undeclared, Undeclared, Undeclared]),
            (operation(DEFAULT, CLIENT_ERRORS), [Success, Success, Failure, Undeclared, Undeclared]),
            (operation(OK, DEFAULT), [Success, Failure, Failure, Failure, Failure]),
            (operation(OK, CLIENT_ERRORS), [Success, Undeclared, Failure, Undeclared, Undeclared]),
        ] {
            let found = [200, 302, 404, 500, 600].map(|status| {
                let status = StatusCode::from_u16(status).expect("a status");
                operation.outcome(status).0
            });
            assert_eq!(found, expected, "{operation:?}");
        }
    }
}
