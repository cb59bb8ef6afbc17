//! Reads parameters and body of a request, and notes everything that violates the description.

use std::borrow::Cow;

use http::header::COOKIE;
use http::{HeaderMap, HeaderName};

use super::call::Head;
use super::incoming::Received;
use super::{BodyReader, Limits, ParameterReader, path};
use crate::json::Members;
use crate::parameter::{Pairs, Raw, Shape, Style};
use crate::text::Refusal;
use crate::violation::{Location, Notes};

/// A request that is being read.
#[derive(Debug)]
pub struct RequestReader<'r> {
    head: &'r Head,
    query: Option<Pairs<'r>>,
    pub(super) body: Received,
    pub(super) limits: Limits,
    pub(super) notes: Notes,
}

impl<'r> RequestReader<'r> {
    pub(super) fn new(head: &'r Head, body: Received, limits: Limits) -> Self {
        Self { head, query: None, body, limits, notes: Notes::new(Location::Body) }
    }

    /// A parameter in the path.
    pub fn path(&mut self, name: &'static str) -> ParameterReader<'_, 'r> {
        ParameterReader::new(self, Location::Path(name), Style::SIMPLE)
    }

    /// A parameter in the query.
    pub fn query(&mut self, name: &'static str) -> ParameterReader<'_, 'r> {
        ParameterReader::new(self, Location::Query(name), Style::FORM)
    }

    /// A header.
    pub fn header(&mut self, name: &'static str) -> ParameterReader<'_, 'r> {
        ParameterReader::new(self, Location::Header(name), Style::SIMPLE)
    }

    /// A cookie.
    pub fn cookie(&mut self, name: &'static str) -> ParameterReader<'_, 'r> {
        ParameterReader::new(self, Location::Cookie(name), Style::FORM)
    }

    /// The whole query.
    pub fn query_string(&mut self) -> ParameterReader<'_, 'r> {
        ParameterReader::new(self, Location::QueryString, Style::SIMPLE)
    }

    /// The body.
    pub fn body(&mut self) -> BodyReader<'_, 'r> {
        BodyReader::new(self)
    }

    pub(super) fn any_case(&self) -> bool {
        self.head.operation.any_case
    }

    /// Hands the texts of a parameter to `read`; they last no longer, because some have to be put together first.
    pub(super) fn with_raw<T>(
        &mut self,
        location: Location,
        style: Style,
        others: &[&str],
        shape: Shape,
        members: Option<&'static Members>,
        read: impl FnOnce(&mut Notes, Result<Option<Raw<'_>>, Refusal>) -> T,
    ) -> T {
        let Self { head, query, notes, .. } = self;
        let headers = &head.parts.headers;
        match location {
            Location::Path(name) => {
                let segment = path::parameter(head.operation.path, head.parts.uri.path(), name);
                read(notes, segment.map(|segment| style.read_path(name, shape, segment)).transpose())
            }
            Location::Query(name) => {
                let pairs = query.get_or_insert_with(|| {
                    let pairs = Pairs::query(head.parts.uri.query().unwrap_or_default());
                    if head.operation.any_case { pairs.any_case() } else { pairs }
                });
                let own = if others.is_empty() { Cow::Borrowed(&*pairs) } else { Cow::Owned(pairs.without(others)) };
                read(notes, style.read_query(name, shape, members, &own))
            }
            Location::Header(name) => match HeaderName::try_from(name).map(|name| text(headers, &name, ", ")) {
                Ok(Ok(Some(text))) => read(notes, style.read_header(shape, &text).map(Some)),
                Ok(Err(refusal)) => read(notes, Err(refusal)),
                Ok(Ok(None)) | Err(_) => read(notes, Ok(None)),
            },
            Location::Cookie(name) => match text(headers, &COOKIE, "; ") {
                Ok(Some(text)) => read(notes, style.read_cookie(name, shape, members, &Pairs::cookies(&text))),
                Ok(None) => read(notes, Ok(None)),
                Err(refusal) => read(notes, Err(refusal)),
            },
            Location::QueryString => {
                let query = head.parts.uri.query().filter(|query| !query.is_empty());
                read(notes, query.map(|query| style.read_path("", shape, query)).transpose())
            }
            Location::Body => read(notes, Ok(None)),
        }
    }
}

/// The value of a header; what several lines say is one list.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName, delimiter: &str) -> Result<Option<Cow<'h, str>>, Refusal> {
    let mut found: Option<Cow<'_, str>> = None;
    for value in headers.get_all(name) {
        let value = std::str::from_utf8(value.as_bytes())
            .map_err(|_| Refusal { code: "type", detail: "is not UTF-8".to_owned() })?;
        found = Some(match found {
            None => Cow::Borrowed(value),
            Some(before) => Cow::Owned([&before, value].join(delimiter)),
        });
    }
    Ok(found)
}
