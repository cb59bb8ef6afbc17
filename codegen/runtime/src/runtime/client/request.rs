//! A request as it is put together: parameters and body of one operation.

use std::borrow::Cow;
use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use reqwest::Url;

use super::answer::{Answer, Unreadable};
use super::body::Body;
use super::request_error::RequestProblem;
use super::{Call, Client, Multipart, Operation, Retry};
use crate::runtime::json::{self, Write};
use crate::runtime::parameter::{self, Raw, Style, ToParameter};
use crate::runtime::text::ToText;

/// What cannot stand in a path for itself.
const LITERAL: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}');

/// A request of one operation in the making.
#[derive(Debug)]
pub struct Request {
    pub(super) client: Client,
    pub(super) operation: &'static Operation,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Body>,
    pub(super) timeout: Option<Duration>,
    pub(super) retry: Option<Retry>,
    pub(super) problem: Option<RequestProblem>,
    /// Where the answer before said that the next page is.
    pub(super) next: Option<Url>,
    path: Vec<(&'static str, String)>,
    query: Vec<(Cow<'static, str>, String)>,
    cookies: String,
}

impl Request {
    /// Nothing yet.
    pub fn new(client: &Client, operation: &'static Operation) -> Self {
        Self {
            client: client.clone(),
            operation,
            headers: HeaderMap::new(),
            body: None,
            timeout: None,
            retry: None,
            problem: None,
            next: None,
            path: Vec::new(),
            query: Vec::new(),
            cookies: String::new(),
        }
    }

    /// A parameter in the path.
    pub fn path<T: ToParameter>(&mut self, name: &'static str, style: Style, value: &T) {
        self.write_path(name, style, &value.to_parameter());
    }

    /// A parameter in the path that may be `null`, which cannot be sent.
    pub fn optional_path<T: ToParameter>(&mut self, name: &'static str, style: Style, value: &Option<T>) {
        if let Some(value) = value {
            self.write_path(name, style, &value.to_parameter());
        }
    }

    /// A parameter in the query.
    pub fn query<T: ToParameter>(&mut self, name: &'static str, style: Style, value: &T) {
        self.write_query(name, style, &value.to_parameter());
    }

    /// A parameter in the query that may be left out.
    pub fn optional_query<T: ToParameter>(&mut self, name: &'static str, style: Style, value: &Option<T>) {
        if let Some(value) = value {
            self.write_query(name, style, &value.to_parameter());
        }
    }

    /// A header.
    pub fn header<T: ToParameter>(&mut self, name: &'static str, style: Style, value: &T) {
        self.write_header(name, style, &value.to_parameter());
    }

    /// A header that may be left out.
    pub fn optional_header<T: ToParameter>(&mut self, name: &'static str, style: Style, value: &Option<T>) {
        if let Some(value) = value {
            self.write_header(name, style, &value.to_parameter());
        }
    }

    /// A cookie.
    pub fn cookie<T: ToParameter>(&mut self, name: &'static str, style: Style, value: &T) {
        self.write_cookie(name, style, &value.to_parameter());
    }

    /// A cookie that may be left out.
    pub fn optional_cookie<T: ToParameter>(&mut self, name: &'static str, style: Style, value: &Option<T>) {
        if let Some(value) = value {
            self.write_cookie(name, style, &value.to_parameter());
        }
    }

    /// A body of JSON.
    pub fn json<T: Write + ?Sized>(&mut self, content_type: &'static str, value: &T) {
        self.set_body(content_type, Body::bytes(json::to_vec(value)));
    }

    /// A body of text.
    pub fn text<T: ToText + ?Sized>(&mut self, content_type: &'static str, value: &T) {
        self.set_body(content_type, Body::bytes(value.to_text().into_owned()));
    }

    /// A form as a body.
    pub fn form<T: ToParameter>(&mut self, content_type: &'static str, value: &T) {
        self.set_body(content_type, Body::bytes(parameter::write_form(value)));
    }

    /// A body of bytes.
    pub fn body(&mut self, content_type: &'static str, body: Body) {
        self.set_body(content_type, body);
    }

    /// A body of parts.
    pub fn multipart(&mut self, multipart: Multipart) {
        self.set_body("multipart/form-data", multipart.into_body());
    }

    /// The call of the operation, with what reads its values and its failures.
    pub fn call<T, E>(
        self,
        success: fn(&mut Answer) -> Result<T, Unreadable>,
        failure: fn(&mut Answer) -> Result<E, Unreadable>,
    ) -> Call<T, E> {
        Call::new(self, success, failure)
    }

    /// The same request once more; none when its body is a stream.
    pub(super) fn again(&self) -> Option<Self> {
        let body = match &self.body {
            Some(body) => Some(body.again()?),
            None => None,
        };
        Some(Self {
            client: self.client.clone(),
            operation: self.operation,
            headers: self.headers.clone(),
            body,
            timeout: self.timeout,
            retry: self.retry.clone(),
            // There is none: what has a problem is not sent, let alone again.
            problem: None,
            next: self.next.clone(),
            path: self.path.clone(),
            query: self.query.clone(),
            cookies: self.cookies.clone(),
        })
    }

    /// The text of a query parameter as it is sent.
    pub(super) fn query_text(&self, name: &str) -> Option<&str> {
        let (_, written) = self.query.iter().find(|(found, _)| found == name)?;
        written.split_once('=').map(|(_, text)| text)
    }

    /// A query parameter that takes the place of one with the same name.
    pub(super) fn set_query(&mut self, name: impl Into<Cow<'static, str>>, text: &str) {
        let name = name.into();
        let mut written = String::new();
        Style::FORM.write_query(&name, &Raw::Text(text.into()), &mut written);
        match self.query.iter_mut().find(|(found, _)| *found == name) {
            Some((_, before)) => *before = written,
            None => self.query.push((name, written)),
        }
    }

    pub(super) fn set_header(&mut self, name: &str, value: &str) {
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value.as_bytes())) {
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
            }
            _ => self.refuse(RequestProblem::Header { name: name.to_owned() }),
        }
    }

    /// The URL, and the cookies, to which credentials are still to be added.
    pub(super) fn target(&self) -> Result<(Url, String), RequestProblem> {
        let url = match &self.next {
            Some(url) => url.clone(),
            None => self.url()?,
        };
        Ok((url, self.cookies.clone()))
    }

    fn url(&self) -> Result<Url, RequestProblem> {
        let mut url = self.client.shared.base.clone();
        for segment in self.operation.path.split('/').skip_while(|segment| segment.is_empty()) {
            url.push('/');
            let start = url.len();
            self.push_segment(&mut url, segment);
            let text = &url[start..];
            // A URL with such a segment names what is above it, which is another operation.
            if segment.contains('{') && matches!(text, "" | "." | "..") {
                return Err(RequestProblem::Path { segment: segment.to_owned(), text: text.to_owned() });
            }
        }
        let mut separator = if self.operation.path.contains('?') { '&' } else { '?' };
        for (_, written) in self.query.iter().filter(|(_, written)| !written.is_empty()) {
            url.push(separator);
            url.push_str(written);
            separator = '&';
        }
        Url::parse(&url).map_err(|error| RequestProblem::Url { reason: error.to_string() })
    }

    /// One segment of the template, its parameters filled in.
    fn push_segment(&self, url: &mut String, mut segment: &str) {
        while let Some((literal, rest)) = segment.split_once('{') {
            let Some((name, rest)) = rest.split_once('}') else { break };
            url.extend(utf8_percent_encode(literal, LITERAL));
            url.extend(self.path.iter().filter(|(found, _)| *found == name).map(|(_, text)| text.as_str()));
            segment = rest;
        }
        url.extend(utf8_percent_encode(segment, LITERAL));
    }

    fn write_path(&mut self, name: &'static str, style: Style, raw: &Raw<'_>) {
        let mut text = String::new();
        style.write_path(name, raw, &mut text);
        self.path.push((name, text));
    }

    fn write_query(&mut self, name: &'static str, style: Style, raw: &Raw<'_>) {
        let mut text = String::new();
        style.write_query(name, raw, &mut text);
        self.query.push((name.into(), text));
    }

    fn write_header(&mut self, name: &'static str, style: Style, raw: &Raw<'_>) {
        self.set_header(name, &style.write_header(raw));
    }

    fn write_cookie(&mut self, name: &'static str, style: Style, raw: &Raw<'_>) {
        if !self.cookies.is_empty() {
            self.cookies.push_str("; ");
        }
        style.write_cookie(name, raw, &mut self.cookies);
    }

    fn set_body(&mut self, declared: &'static str, body: Body) {
        let content_type = body.content_type.as_deref().unwrap_or(declared).to_owned();
        self.set_header(CONTENT_TYPE.as_str(), &content_type);
        self.body = Some(body);
    }

    /// The first problem is the one to mend first.
    fn refuse(&mut self, problem: RequestProblem) {
        self.problem.get_or_insert(problem);
    }
}
