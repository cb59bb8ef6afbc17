//! The parts of a request.

use std::borrow::Cow;
use std::fmt::Write;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Url;

use super::body::Body;
use super::request_error::RequestProblem;
use super::{Client, Operation, Retry};
use crate::parameter::{Raw, Style, encode_literal};

/// Parameters, body and options of one call.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) client: Client,
    pub(super) operation: &'static Operation,
    /// The server of the operation alone.
    pub(super) server: Option<&'static str>,
    /// The URL of the request, in place of a path of the server.
    pub(super) to: Option<String>,
    pub(super) path: Vec<(&'static str, String)>,
    pub(super) query: Vec<(Cow<'static, str>, String)>,
    pub(super) headers: HeaderMap,
    pub(super) cookies: String,
    pub(super) body: Option<Body>,
    pub(super) timeout: Option<Duration>,
    pub(super) retry: Option<Retry>,
    /// The URL of this page, as the previous response gave it.
    pub(super) page: Option<Url>,
    /// The first problem, which keeps the request from being sent.
    pub(super) problem: Option<RequestProblem>,
}

impl Parts {
    pub(super) fn new(client: Client, operation: &'static Operation) -> Self {
        Self {
            client,
            operation,
            server: None,
            to: None,
            path: Vec::new(),
            query: Vec::new(),
            headers: HeaderMap::new(),
            cookies: String::new(),
            body: None,
            timeout: None,
            retry: None,
            page: None,
            problem: None,
        }
    }

    /// Adds a query parameter, or replaces the one with the same name.
    pub(super) fn set_query(&mut self, name: impl Into<Cow<'static, str>>, text: &str) {
        let name = name.into();
        let mut written = String::new();
        Style::FORM.write_query(&name, &Raw::Text(text.into()), &mut written);
        match self.query.iter_mut().find(|(found, _)| *found == name) {
            Some((_, before)) => *before = written,
            None => self.query.push((name, written)),
        }
    }

    /// Adds a header, or replaces the one with the same name.
    pub(super) fn set_header(&mut self, name: &str, value: &str) {
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value.as_bytes())) {
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
            }
            _ => self.refuse_header(name.to_owned()),
        }
    }

    /// Notes that a header cannot be sent. The first problem is kept.
    pub(super) fn refuse_header(&mut self, name: String) {
        self.problem.get_or_insert(RequestProblem::Header { name });
    }

    /// Notes a value without a text form, and a list that would arrive with different items.
    pub(super) fn check(&mut self, parameter: &'static str, raw: &Raw<'_>, arrives: bool) {
        if !raw.has_text() {
            self.refuse_number(format!("of `{parameter}`"));
        } else if !arrives {
            self.refuse_delimiter(parameter);
        }
    }

    /// Notes that a number cannot be written.
    pub(super) fn refuse_number(&mut self, place: String) {
        self.problem.get_or_insert(RequestProblem::Number { place });
    }

    /// Notes that an item of a list contains the separator of the items.
    pub(super) fn refuse_delimiter(&mut self, parameter: &'static str) {
        self.problem.get_or_insert(RequestProblem::Delimiter { parameter });
    }

    /// The URL before the path of the operation, without a trailing slash.
    pub(super) fn base(&self) -> Cow<'_, str> {
        let shared = &self.client.shared;
        let own = self.server.and_then(|server| {
            let base = Url::parse(&format!("{}/", shared.base)).ok()?;
            let url = base.join(server).ok()?;
            (url.origin() == base.origin() || shared.described_servers).then_some(url)
        });
        own.map_or_else(|| shared.base.as_str().into(), |url| url.as_str().trim_end_matches('/').to_owned().into())
    }

    /// The URL without credentials.
    pub(super) fn url(&self) -> Result<Url, RequestProblem> {
        if let Some(page) = &self.page {
            return Ok(page.clone());
        }
        if let Some(to) = &self.to {
            return self.given_url(to);
        }
        let (base, path) = (self.base(), self.operation.path);
        let query = self.query.iter().map(|(_, written)| written.len() + 1).sum::<usize>();
        let mut url = String::with_capacity(base.len() + path.len() + query);
        url.push_str(&base);
        for segment in path.strip_prefix('/').unwrap_or(path).split('/') {
            url.push('/');
            let start = url.len();
            self.push_segment(&mut url, segment);
            if !segment.contains('{') {
                continue;
            }
            // A URL with such a segment names the parent, which is another operation. An encoded dot is a dot, too.
            let text = url[start..].replace("%2E", ".");
            if matches!(text.as_str(), "" | "." | "..") {
                return Err(RequestProblem::Path { segment: segment.to_owned(), text });
            }
        }
        self.push_query(&mut url);
        Url::parse(&url).map_err(|error| RequestProblem::Url { reason: error.to_string() })
    }

    /// A given URL, with the query of this request appended to its own.
    fn given_url(&self, to: &str) -> Result<Url, RequestProblem> {
        let mut text = to.split('#').next().unwrap_or_default().to_owned();
        self.push_query(&mut text);
        let url = Url::parse(&text).map_err(|error| RequestProblem::Url { reason: error.to_string() })?;
        match url.scheme() {
            "http" | "https" => Ok(url),
            other => Err(RequestProblem::Url { reason: format!("its scheme is `{other}`, not `http` or `https`") }),
        }
    }

    fn push_query(&self, url: &mut String) {
        let mut separator = if url.contains('?') { '&' } else { '?' };
        for (_, written) in self.query.iter().filter(|(_, written)| !written.is_empty()) {
            url.push(separator);
            url.push_str(written);
            separator = '&';
        }
    }

    /// One segment of the template with the values of its parameters.
    ///
    /// A server splits a segment at the last occurrence of the text between two parameters. If a later value contains
    /// that text, it is encoded there.
    fn push_segment(&self, url: &mut String, mut segment: &str) {
        let mut separators = String::new();
        let mut is_first = true;
        while let Some((literal, rest)) = segment.split_once('{') {
            let Some((name, rest)) = rest.split_once('}') else { break };
            if !std::mem::take(&mut is_first) {
                separators.extend(literal.chars().next());
            }
            url.extend(encode_literal(literal));
            let values = self.path.iter().filter(|(found, _)| *found == name);
            for character in values.flat_map(|(_, text)| text.chars()) {
                match character {
                    // Other separators are always encoded in values.
                    '-' | '.' | '_' | '~' if separators.contains(character) => {
                        let _ = write!(url, "%{:02X}", u32::from(character));
                    }
                    character => url.push(character),
                }
            }
            segment = rest;
        }
        url.extend(encode_literal(segment));
    }
}
