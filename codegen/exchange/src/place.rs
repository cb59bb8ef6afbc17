//! The place of a value in a request or an answer.

use std::fmt;

/// The place of a value in a request or an answer, in the terms of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place<'a> {
    pub(crate) kind: Kind,
    /// The media type or the key of the response; otherwise empty.
    pub(crate) of: &'a str,
    /// The name of the parameter or header, or the media type of the response.
    pub(crate) name: &'a str,
    /// The name of the part of a multipart body.
    pub(crate) part: &'a str,
}

/// Headers of answers that belong to HTTP itself. Random values would break the connection.
const OF_HTTP: &[&str] = &[
    "connection",
    "content-encoding",
    "content-length",
    "date",
    "keep-alive",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The kinds of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Path,
    Query,
    Header,
    Cookie,
    QueryString,
    Body(Syntax),
    Part,
    Answer(Syntax),
    AnswerPart,
    AnswerHeader,
}

/// How a value is written as a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Syntax {
    Json,
    Xml,
    /// As a form or a text.
    Other,
}

/// The direction in which a value is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    Request,
    Response,
}

impl<'a> Place<'a> {
    /// A parameter in the path.
    pub const fn path(name: &'a str) -> Self {
        Self { kind: Kind::Path, of: "", name, part: "" }
    }

    /// A parameter in the query.
    pub const fn query(name: &'a str) -> Self {
        Self { kind: Kind::Query, of: "", name, part: "" }
    }

    /// A header of the request.
    pub const fn header(name: &'a str) -> Self {
        Self { kind: Kind::Header, of: "", name, part: "" }
    }

    /// A cookie.
    pub const fn cookie(name: &'a str) -> Self {
        Self { kind: Kind::Cookie, of: "", name, part: "" }
    }

    /// The whole query.
    pub const fn query_string(name: &'a str) -> Self {
        Self { kind: Kind::QueryString, of: "", name, part: "" }
    }

    /// The JSON body of the request in one of its media types.
    pub const fn json_body(media_type: &'a str) -> Self {
        Self { kind: Kind::Body(Syntax::Json), of: media_type, name: "", part: "" }
    }

    /// The body of the request in XML.
    pub const fn xml_body(media_type: &'a str) -> Self {
        Self { kind: Kind::Body(Syntax::Xml), of: media_type, name: "", part: "" }
    }

    /// The body of the request in a media type other than JSON and XML.
    pub const fn body(media_type: &'a str) -> Self {
        Self { kind: Kind::Body(Syntax::Other), of: media_type, name: "", part: "" }
    }

    /// A part of this multipart body.
    #[must_use]
    pub const fn part(self, name: &'a str) -> Self {
        let kind = match self.kind {
            Kind::Answer(_) => Kind::AnswerPart,
            _ => Kind::Part,
        };
        Self { kind, part: name, ..self }
    }

    /// The JSON body of the response with the key, in one of its media types.
    pub const fn json_answer(key: &'a str, media_type: &'a str) -> Self {
        Self { kind: Kind::Answer(Syntax::Json), of: key, name: media_type, part: "" }
    }

    /// The body of the response with the key, in XML.
    pub const fn xml_answer(key: &'a str, media_type: &'a str) -> Self {
        Self { kind: Kind::Answer(Syntax::Xml), of: key, name: media_type, part: "" }
    }

    /// The body of a response in a media type other than JSON and XML.
    pub const fn answer(key: &'a str, media_type: &'a str) -> Self {
        Self { kind: Kind::Answer(Syntax::Other), of: key, name: media_type, part: "" }
    }

    /// A header of the response with the key.
    pub const fn answer_header(key: &'a str, name: &'a str) -> Self {
        Self { kind: Kind::AnswerHeader, of: key, name, part: "" }
    }

    /// Whether the place is a parameter outside of a body.
    pub fn is_parameter(self) -> bool {
        matches!(self.kind, Kind::Path | Kind::Query | Kind::Header | Kind::Cookie | Kind::QueryString)
    }

    /// Whether the place is a header of an answer that belongs to HTTP, whatever the description says.
    pub fn is_of_http(self) -> bool {
        self.kind == Kind::AnswerHeader && OF_HTTP.iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }

    pub fn direction(self) -> Direction {
        match self.kind {
            Kind::Path | Kind::Query | Kind::Header | Kind::Cookie | Kind::QueryString | Kind::Body(_) | Kind::Part => {
                Direction::Request
            }
            Kind::Answer(_) | Kind::AnswerPart | Kind::AnswerHeader => Direction::Response,
        }
    }

    /// The media type of a body.
    pub fn media_type(self) -> &'a str {
        match self.kind {
            Kind::Answer(_) | Kind::AnswerPart => self.name,
            _ => self.of,
        }
    }

    /// The same body in JSON.
    pub(crate) fn in_json(self) -> Self {
        let kind = match self.kind {
            Kind::Body(_) => Kind::Body(Syntax::Json),
            Kind::Answer(_) => Kind::Answer(Syntax::Json),
            kind => kind,
        };
        Self { kind, ..self }
    }

    /// Whether it is a part of a multipart body.
    pub(crate) fn is_part(self) -> bool {
        matches!(self.kind, Kind::Part | Kind::AnswerPart)
    }

    /// Whether the value is sent as JSON.
    pub fn is_json(self) -> bool {
        matches!(self.kind, Kind::Body(Syntax::Json) | Kind::Answer(Syntax::Json))
    }

    /// Whether the value is sent as XML.
    pub fn is_xml(self) -> bool {
        matches!(self.kind, Kind::Body(Syntax::Xml) | Kind::Answer(Syntax::Xml))
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, name, part, .. } = self;
        match self.kind {
            Kind::Path => write!(f, "path `{name}`"),
            Kind::Query => write!(f, "query `{name}`"),
            Kind::Header => write!(f, "header `{name}`"),
            Kind::Cookie => write!(f, "cookie `{name}`"),
            Kind::QueryString => f.write_str("query string"),
            Kind::Body(_) => write!(f, "body {of}"),
            Kind::Part => write!(f, "part `{part}`"),
            // Without the status, which is reported separately, equal failures are counted as one.
            Kind::Answer(_) => f.write_str("answered body"),
            Kind::AnswerPart => write!(f, "answered part `{part}`"),
            Kind::AnswerHeader => write!(f, "answered header `{name}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn http_owns_some_headers_of_answers() {
        assert!(Place::answer_header("200", "Transfer-Encoding").is_of_http());
        assert!(!Place::answer_header("200", "ETag").is_of_http());
        assert!(!Place::header("Date").is_of_http(), "a request has its own");
    }
}
