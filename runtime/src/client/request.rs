//! A request that is being built: parameters and body of one operation.

use http::header::CONTENT_TYPE;

use super::answer::{Answer, Unreadable};
use super::body::Body;
use super::parts::Parts;
use super::request_error::RequestProblem;
use super::{Call, Client, Operation};
use crate::json::{self, Reason, Unwritable, Write};
use crate::parameter::{self, FormStyle, Raw, Style, ToParameter};
use crate::text::ToText;

/// A request of one operation that is being built.
#[derive(Debug)]
#[must_use = "a request becomes a call"]
pub struct Request {
    pub(super) parts: Box<Parts>,
}

/// The value of a parameter, which may be absent.
pub trait Parameter {
    /// The texts of the value.
    fn given(&self) -> Option<Raw<'_>>;
}

impl<T: ToParameter + ?Sized> Parameter for T {
    fn given(&self) -> Option<Raw<'_>> {
        Some(self.to_parameter())
    }
}

impl<T: ToParameter> Parameter for Option<T> {
    fn given(&self) -> Option<Raw<'_>> {
        self.as_ref().map(ToParameter::to_parameter)
    }
}

impl Request {
    /// Begins an empty one.
    pub fn new(client: &Client, operation: &'static Operation) -> Self {
        Self { parts: Box::new(Parts::new(client.clone(), operation)) }
    }

    /// Sets the server of this operation, absolute or relative to the base URL of the client.
    pub fn server(mut self, url: &'static str) -> Self {
        self.parts.server = Some(url);
        self
    }

    /// Sets the URL of this request, in place of a path of the server.
    pub fn to(mut self, url: String) -> Self {
        self.parts.to = Some(url);
        self
    }

    /// Sets a path parameter in the default style.
    pub fn path<P: Parameter + ?Sized>(self, name: &'static str, value: &P) -> Self {
        self.styled_path(name, Style::SIMPLE, value)
    }

    /// Sets a path parameter.
    pub fn styled_path<P: Parameter + ?Sized>(self, name: &'static str, style: Style, value: &P) -> Self {
        self.write_path(name, style, value.given())
    }

    /// Adds a query parameter in the default style.
    pub fn query<P: Parameter + ?Sized>(self, name: &'static str, value: &P) -> Self {
        self.styled_query(name, Style::FORM, value)
    }

    /// Adds a query parameter.
    pub fn styled_query<P: Parameter + ?Sized>(self, name: &'static str, style: Style, value: &P) -> Self {
        self.write_query(name, style, value.given())
    }

    /// Sets the whole query, percent-encoded.
    pub fn query_string<P: Parameter + ?Sized>(mut self, value: &P) -> Self {
        if let Some(raw) = value.given() {
            self.parts.check("query", &raw, true);
            let mut text = String::new();
            Style::SIMPLE.write_path("", &raw, &mut text);
            self.parts.query.push(("".into(), text));
        }
        self
    }

    /// Adds a header in the default style.
    pub fn header<P: Parameter + ?Sized>(self, name: &'static str, value: &P) -> Self {
        self.styled_header(name, Style::SIMPLE, value)
    }

    /// Adds a header.
    pub fn styled_header<P: Parameter + ?Sized>(self, name: &'static str, style: Style, value: &P) -> Self {
        self.write_header(name, style, value.given())
    }

    /// Adds a cookie in the default style.
    pub fn cookie<P: Parameter + ?Sized>(self, name: &'static str, value: &P) -> Self {
        self.styled_cookie(name, Style::FORM, value)
    }

    /// Adds a cookie.
    pub fn styled_cookie<P: Parameter + ?Sized>(self, name: &'static str, style: Style, value: &P) -> Self {
        self.write_cookie(name, style, value.given())
    }

    /// Sets a JSON body.
    pub fn json<T: Write + ?Sized>(self, content_type: &'static str, value: &T) -> Self {
        self.try_body(content_type, json::try_to_vec(value).map(Body::bytes))
    }

    /// Sets a text body.
    pub fn text<T: ToText + ?Sized>(mut self, content_type: &'static str, value: &T) -> Self {
        self.parts.check("body", &Raw::Text(value.to_text()), true);
        self.body(content_type, Body::bytes(value.to_text().into_owned()))
    }

    /// Sets a form as the body.
    pub fn form<T: ToParameter>(self, content_type: &'static str, value: &T) -> Self {
        self.form_with(&[], content_type, value)
    }

    /// Sets a form as the body, with styles for some members.
    pub fn form_with<T: ToParameter>(
        mut self,
        styles: &[(&'static str, FormStyle)],
        content_type: &'static str,
        value: &T,
    ) -> Self {
        self.parts.check("body", &value.to_parameter(), true);
        if let Some(member) = parameter::undivided(value, styles) {
            self.parts.refuse_delimiter(member);
        }
        self.body(content_type, Body::bytes(parameter::write_form_with(value, styles)))
    }

    /// Sets a body of bytes with the media type `content_type`, unless the body has its own.
    pub fn body(mut self, content_type: &'static str, body: Body) -> Self {
        let content_type = body.content_type.as_deref().unwrap_or(content_type).to_owned();
        self.parts.set_header(CONTENT_TYPE.as_str(), &content_type);
        self.parts.body = Some(body);
        self
    }

    /// Builds the call, with the functions that read its values and its failures.
    pub fn call<T, E>(
        self,
        success: fn(&mut Answer) -> Result<T, Unreadable>,
        failure: fn(&mut Answer) -> Result<E, Unreadable>,
    ) -> Call<T, E> {
        Call::new(self.parts, success, failure)
    }

    /// Sets a JSON body, or notes the value that JSON cannot express.
    pub(crate) fn try_body(mut self, content_type: &'static str, body: Result<Body, Unwritable>) -> Self {
        match body {
            Ok(body) => self.body(content_type, body),
            Err(unwritable) => {
                let place = format!("at `{}` of the body", unwritable.pointer);
                self.parts.problem.get_or_insert(match unwritable.reason {
                    Reason::Number => RequestProblem::Number { place },
                    Reason::Repeated => RequestProblem::Repeated { place },
                });
                self
            }
        }
    }

    fn write_path(mut self, name: &'static str, style: Style, value: Option<Raw<'_>>) -> Self {
        if let Some(raw) = value {
            self.parts.check(name, &raw, style.keeps_items(&raw));
            let mut text = String::new();
            style.write_path(name, &raw, &mut text);
            self.parts.path.push((name, text));
        }
        self
    }

    fn write_query(mut self, name: &'static str, style: Style, value: Option<Raw<'_>>) -> Self {
        if let Some(raw) = value {
            self.parts.check(name, &raw, style.keeps_pairs(&raw));
            // Long enough for most values.
            let mut text = String::with_capacity(64);
            style.write_query(name, &raw, &mut text);
            self.parts.query.push((name.into(), text));
        }
        self
    }

    fn write_header(mut self, name: &'static str, style: Style, value: Option<Raw<'_>>) -> Self {
        if let Some(raw) = value {
            self.parts.check(name, &raw, style.keeps_header(&raw));
            self.parts.set_header(name, &style.write_header(&raw));
        }
        self
    }

    fn write_cookie(mut self, name: &'static str, style: Style, value: Option<Raw<'_>>) -> Self {
        if let Some(raw) = value {
            self.parts.check(name, &raw, style.keeps_pairs(&raw));
            // The separators between items are those of the style, not text of the items.
            let mut text = String::new();
            style.write_cookie(name, &raw, &mut text);
            if !style.fits_cookie(&raw) {
                self.parts.refuse_header(format!("cookie: {name}"));
            }
            let cookies = &mut self.parts.cookies;
            let separator = if cookies.is_empty() || text.is_empty() { "" } else { "; " };
            cookies.extend([separator, &text]);
        }
        self
    }
}
