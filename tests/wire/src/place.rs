//! Where a value stands in a request or an answer.

use std::fmt;

/// Where a value stands in a request or an answer, in the description's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub(crate) kind: Kind,
    /// A media type, the key of a response, or nothing.
    pub(crate) of: &'static str,
    /// A parameter, a header, a part, or the media type of a response.
    pub(crate) name: &'static str,
}

/// Headers of answers that say how they are sent: those who send them see to that, and random ones break the connection.
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

/// The sorts of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Path,
    Query,
    Header,
    Cookie,
    QueryString,
    Body { json: bool },
    Part,
    Answer { json: bool },
    AnswerHeader,
}

/// Which way a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Request,
    Response,
}

impl Place {
    /// A parameter in the path.
    pub const fn path(name: &'static str) -> Self {
        Self { kind: Kind::Path, of: "", name }
    }

    /// A parameter in the query.
    pub const fn query(name: &'static str) -> Self {
        Self { kind: Kind::Query, of: "", name }
    }

    /// A header of the request.
    pub const fn header(name: &'static str) -> Self {
        Self { kind: Kind::Header, of: "", name }
    }

    /// A cookie.
    pub const fn cookie(name: &'static str) -> Self {
        Self { kind: Kind::Cookie, of: "", name }
    }

    /// The whole query.
    pub const fn query_string(name: &'static str) -> Self {
        Self { kind: Kind::QueryString, of: "", name }
    }

    /// The body of the request in one of its media types, which is JSON.
    pub const fn json_body(media_type: &'static str) -> Self {
        Self { kind: Kind::Body { json: true }, of: media_type, name: "" }
    }

    /// The body of the request in another media type.
    pub const fn body(media_type: &'static str) -> Self {
        Self { kind: Kind::Body { json: false }, of: media_type, name: "" }
    }

    /// A part of a multipart body.
    pub const fn part(media_type: &'static str, name: &'static str) -> Self {
        Self { kind: Kind::Part, of: media_type, name }
    }

    /// The body of the response with that key in one of its media types, which is JSON.
    pub const fn json_answer(key: &'static str, media_type: &'static str) -> Self {
        Self { kind: Kind::Answer { json: true }, of: key, name: media_type }
    }

    /// The body of a response in another media type.
    pub const fn answer(key: &'static str, media_type: &'static str) -> Self {
        Self { kind: Kind::Answer { json: false }, of: key, name: media_type }
    }

    /// A header of the response with that key.
    pub const fn answer_header(key: &'static str, name: &'static str) -> Self {
        Self { kind: Kind::AnswerHeader, of: key, name }
    }

    /// Whether it is a parameter, outside of a body.
    pub fn is_parameter(self) -> bool {
        matches!(self.kind, Kind::Path | Kind::Query | Kind::Header | Kind::Cookie | Kind::QueryString)
    }

    /// Whether it is a header of an answer that HTTP owns, whatever the description says of it.
    pub(crate) fn is_of_http(self) -> bool {
        self.kind == Kind::AnswerHeader && OF_HTTP.iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }

    pub(crate) fn direction(self) -> Direction {
        match self.kind {
            Kind::Path
            | Kind::Query
            | Kind::Header
            | Kind::Cookie
            | Kind::QueryString
            | Kind::Body { .. }
            | Kind::Part => Direction::Request,
            Kind::Answer { .. } | Kind::AnswerHeader => Direction::Response,
        }
    }

    /// The media type of a body.
    pub(crate) fn media_type(self) -> &'static str {
        match self.kind {
            Kind::Answer { .. } => self.name,
            _ => self.of,
        }
    }

    /// Whether the value is sent as JSON.
    pub(crate) fn is_json(self) -> bool {
        matches!(self.kind, Kind::Body { json: true } | Kind::Answer { json: true })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, name, .. } = self;
        match self.kind {
            Kind::Path => write!(f, "path `{name}`"),
            Kind::Query => write!(f, "query `{name}`"),
            Kind::Header => write!(f, "header `{name}`"),
            Kind::Cookie => write!(f, "cookie `{name}`"),
            Kind::QueryString => f.write_str("query string"),
            Kind::Body { .. } => write!(f, "body {of}"),
            Kind::Part => write!(f, "part `{name}`"),
            // The status is noted beside it, and failures that look alike are told apart by nothing else.
            Kind::Answer { .. } => f.write_str("answered body"),
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
