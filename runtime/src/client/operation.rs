//! An operation as data: what the description says that sending and receiving need to know.

use std::fmt::{self, Display, Formatter};

use http::{Method, StatusCode};

use super::media_type::is_json;
use super::security::Security;

/// One operation of the description.
#[derive(Debug)]
pub struct Operation {
    /// `operationId`
    pub id: &'static str,
    /// The HTTP method as it is sent: `GET`.
    pub method: &'static str,
    /// The path template.
    pub path: &'static str,
    /// The credentials it asks for.
    pub security: Security,
    /// The responses that are values.
    pub success: &'static [Declared],
    /// The responses that are errors.
    pub failure: &'static [Declared],
    /// How its pages follow each other.
    pub pagination: Pagination,
}

/// How the pages of an operation follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pagination {
    /// The answer is all there is.
    None,
    /// By the number of the page.
    PageNumber {
        /// The query parameter with the number.
        page: &'static str,
        /// The number when it is left out.
        first: u64,
        /// The query parameter with the length of a page.
        size: &'static str,
        /// The length that is asked for unless the caller does.
        default_size: u64,
    },
    /// By the number of items before the page.
    Offset {
        /// The query parameter with the number of items before.
        offset: &'static str,
        /// The query parameter with the length of a page.
        limit: &'static str,
        /// The length that is asked for unless the caller does.
        default_limit: u64,
    },
    /// By a text that the page before gives.
    Cursor {
        /// The query parameter with the text.
        parameter: &'static str,
    },
    /// By the `Link` header of the page before.
    Link,
}

/// Responses that the description declares.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// When they are given.
    pub status: Status,
    /// The forms of their body; none when there is no body.
    pub contents: &'static [Content],
}

/// A form in which a body is sent.
#[derive(Clone, Copy, Debug)]
pub struct Content {
    /// The media types, the preferred one first; may hold ranges.
    pub media_types: &'static [&'static str],
    /// The body is handed on as it arrives instead of being read first.
    pub streamed: bool,
}

/// A key of `responses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `200`, `404`: those whose bodies have the same forms stand together.
    Codes(&'static [u16]),
    /// `4` for `4XX`
    Range(u8),
    /// `default`
    Default,
}

/// What a status means to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Success,
    Failure,
    Undeclared,
}

impl Operation {
    /// The HTTP method; the text is a token, so it is one.
    pub(super) fn method(&self) -> Method {
        Method::from_bytes(self.method.as_bytes()).unwrap_or_default()
    }

    /// Whether the description declares a redirection, which the transport must not follow then.
    pub(super) fn describes_redirections(&self) -> bool {
        let is_redirection = |declared: &Declared| match declared.status {
            Status::Codes(codes) => codes.iter().any(|code| matches!(code, 301 | 302 | 303 | 307 | 308)),
            Status::Range(hundred) => hundred == 3,
            Status::Default => false,
        };
        self.success.iter().chain(self.failure).any(is_redirection)
    }

    /// What `status` means: an exact code goes before a range, a range before `default`.
    pub(super) fn outcome(&self, status: StatusCode) -> (Outcome, &'static [Content]) {
        let of = |declared: &'static [Declared], outcome| {
            declared.iter().map(move |declared| (declared.status.precision(status), outcome, declared.contents))
        };
        of(self.success, Outcome::Success)
            .chain(of(self.failure, Outcome::Failure))
            .filter_map(|(precision, outcome, contents)| Some((precision?, outcome, contents)))
            .max_by_key(|(precision, ..)| *precision)
            .map_or((Outcome::Undeclared, &[]), |(_, outcome, contents)| (outcome, contents))
    }

    /// The `Accept` header: the preferred media type of each content, and all of them where each is something else. What
    /// only a failure may be stands behind, so that a server that negotiates failures too prefers the form of the values.
    pub(super) fn accept(&self) -> String {
        let mut accept = String::new();
        let mut named = Vec::new();
        for (responses, quality) in [(self.success, ""), (self.failure, ";q=0.9")] {
            let contents = responses.iter().flat_map(|declared| declared.contents);
            for media_type in contents.flat_map(Content::accepted) {
                if named.contains(media_type) {
                    continue;
                }
                named.push(media_type);
                let separator = if accept.is_empty() { "" } else { ", " };
                let quality = if accept.is_empty() { "" } else { quality };
                accept.extend([separator, media_type, quality]);
            }
        }
        if accept.is_empty() { "*/*".to_owned() } else { accept }
    }
}

/// The method and the path template, which name an operation better than the URL of one call: `GET /accounts/{id}`.
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

    /// The response with any other status.
    pub const fn default(contents: &'static [Content]) -> Self {
        Self { status: Status::Default, contents }
    }
}

impl Content {
    /// No body.
    pub const NONE: &'static [Self] = &[];
    /// JSON and nothing else.
    pub const JSON: &'static [Self] = &[Self::whole(&["application/json"])];

    /// A body that is read before it is looked at.
    pub const fn whole(media_types: &'static [&'static str]) -> Self {
        Self { media_types, streamed: false }
    }

    /// A body that is handed on as it arrives.
    pub const fn streamed(media_types: &'static [&'static str]) -> Self {
        Self { media_types, streamed: true }
    }

    /// JSON is the same under all its names; bytes and texts are not.
    fn accepted(&self) -> &'static [&'static str] {
        match self.media_types {
            [first, ..] if is_json(first) => &self.media_types[..1],
            all => all,
        }
    }
}

impl Status {
    /// How exactly this key names `status`; none when it does not.
    fn precision(self, status: StatusCode) -> Option<u8> {
        match self {
            Self::Codes(codes) => codes.contains(&status.as_u16()).then_some(2),
            Self::Range(hundred) => (u16::from(hundred) == status.as_u16() / 100).then_some(1),
            Self::Default => Some(0),
        }
    }
}
