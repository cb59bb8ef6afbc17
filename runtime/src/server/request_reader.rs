//! Reads the parameters and the body of a request, and notes every violation.

use std::borrow::Cow;

use http::header::{CONTENT_TYPE, COOKIE};
use http::{HeaderMap, HeaderName};

use super::call::Head;
use super::incoming::Received;
use super::options::QueryRules;
use super::{BodyReader, Limits, ParameterReader, SchemeKind, path};
use crate::json::Members;
use crate::parameter::{Pairs, Raw, Shape, Style};
use crate::text::{Refusal, nearest};
use crate::violation::{Location, Notes};

/// A request being read.
#[derive(Debug)]
pub struct RequestReader<'r> {
    head: &'r Head,
    query: Option<Pairs<'r>>,
    pub(super) body: Received,
    rules: QueryRules,
    /// The query parameters that have been read.
    taken: Vec<Taken>,
    pub(super) limits: Limits,
    pub(super) notes: Notes,
}

/// The source of a query parameter.
#[derive(Clone, Copy, Debug)]
enum Taken {
    Named(&'static str, Style, Shape, Option<&'static Members>),
    Everything,
}

impl<'r> RequestReader<'r> {
    pub(super) fn new(head: &'r Head, body: Received, limits: Limits, rules: QueryRules) -> Self {
        Self { head, query: None, body, rules, taken: Vec::new(), limits, notes: Notes::new(Location::Body) }
    }

    /// `Content-Type`, with its parameters.
    pub(super) fn content_type(&self) -> Option<&str> {
        self.head.parts.headers.get(CONTENT_TYPE)?.to_str().ok()
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

    /// Notes unknown query parameters, after everything else has been read.
    pub(super) fn refuse_unknown_query(&mut self) {
        let operation = self.head.operation;
        let query = self.head.parts.uri.query().unwrap_or_default();
        if !self.rules.refuse_unknown || query.is_empty() {
            return;
        }
        let pairs = self.query.get_or_insert_with(|| pairs(self.head, self.rules));
        let keys = operation.security.iter().flat_map(|requirement| requirement.schemes);
        let keys = keys.filter_map(|scheme| match scheme.kind {
            SchemeKind::ApiKeyQuery(name) => Some(name),
            _ => None,
        });
        let fixed = path::query_names(operation.path);
        let known: Vec<&str> = keys.chain(fixed).collect();
        let is_taken = |found: &str| {
            known.contains(&found)
                || self.taken.iter().any(|taken| match taken {
                    Taken::Named(name, style, shape, members) => style.takes(name, *shape, *members, pairs, found),
                    Taken::Everything => true,
                })
        };
        let names = self.taken.iter().flat_map(|taken| match taken {
            Taken::Named(_, _, Shape::Object, Some(members)) => members.names().iter().copied(),
            Taken::Named(name, ..) => std::slice::from_ref(name).iter().copied(),
            Taken::Everything => [].iter().copied(),
        });
        self.notes.turn_to(Location::QueryString);
        for found in pairs.names().filter(|found| !is_taken(found)) {
            if self.notes.is_full() {
                break;
            }
            self.notes.refuse_name(found, similar(found, &names));
        }
    }

    pub(super) fn any_case(&self) -> bool {
        self.head.operation.any_case
    }

    /// Passes the texts of a parameter to `read`; they are borrowed only for the call, because some are
    /// joined first.
    pub(super) fn with_raw<T>(
        &mut self,
        location: Location,
        style: Style,
        others: &[&str],
        shape: Shape,
        members: Option<&'static Members>,
        read: impl FnOnce(&mut Notes, Result<Option<Raw<'_>>, Refusal>) -> T,
    ) -> T {
        let Self { head, query, notes, rules, taken, .. } = self;
        let headers = &head.parts.headers;
        match location {
            Location::Path(name) => {
                let segment = path::parameter(head.operation.path, head.parts.uri.path(), name);
                read(notes, segment.map(|segment| style.read_path(name, shape, segment)).transpose())
            }
            Location::Query(name) => {
                taken.push(Taken::Named(name, style, shape, members));
                let pairs = query.get_or_insert_with(|| pairs(head, *rules));
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
                taken.push(Taken::Everything);
                let query = head.parts.uri.query().filter(|query| !query.is_empty());
                read(notes, query.map(|query| style.read_path("", shape, query)).transpose())
            }
            Location::Body => read(notes, Ok(None)),
        }
    }
}

/// The pairs of the query, by the rules of the operation and the options.
fn pairs(head: &Head, rules: QueryRules) -> Pairs<'_> {
    let pairs = Pairs::query(head.parts.uri.query().unwrap_or_default());
    let pairs = if head.operation.any_case { pairs.any_case() } else { pairs };
    if rules.empty_is_absent { pairs.without_empty() } else { pairs }
}

/// The entry of `names` that is probably meant: a similar one, or one with another prefix (`Name` for
/// `Filter.Name`). `name[]` is a common spelling of list items.
fn similar<'n>(found: &str, names: &(impl Iterator<Item = &'n str> + Clone)) -> Option<&'n str> {
    let found = found.split('[').next().unwrap_or_default();
    let last = |name: &'_ str| name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    nearest(found, &mut names.clone()).or_else(|| names.clone().find(|name| last(name) == last(found)))
}

/// The value of a header; several lines are joined as one list.
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
