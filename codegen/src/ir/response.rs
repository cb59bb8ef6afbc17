//! Responses.

use std::slice::{from_mut, from_ref};

use super::{Content, ContentKind, Name, Value};

/// The responses of an operation.
#[derive(Clone, Debug)]
pub struct Responses {
    /// Declared statuses and ranges below 400; `default` for other statuses below 400, if none is declared.
    pub success: Success,
    /// The others.
    pub failure: Failure,
}

impl Responses {
    /// All declared responses: successes, then failures.
    pub fn all(&self) -> impl Iterator<Item = &Response> {
        self.success.responses().iter().chain(self.failure.responses())
    }

    /// All declared responses, mutable.
    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Response> {
        self.success.responses_mut().iter_mut().chain(self.failure.responses_mut())
    }
}

/// The success type, with its responses.
#[derive(Clone, Debug)]
pub enum Success {
    /// `()`: one response without body and headers, and not for a range of statuses.
    Nothing(Response),
    /// The body itself: one response without headers, and not for a range of statuses.
    Body(Response),
    /// A struct `<Operation>Response` with `status` if it is open, a field per header, and `body` if there is one.
    Struct { rust: String, response: Response },
    /// An enum `<Operation>Response` with a variant per status.
    Enum { rust: String, responses: Vec<Response> },
}

impl Success {
    /// In the order of the description.
    pub fn responses(&self) -> &[Response] {
        match self {
            Self::Nothing(response) | Self::Body(response) | Self::Struct { response, .. } => from_ref(response),
            Self::Enum { responses, .. } => responses,
        }
    }

    /// The body of the only response, if it is JSON.
    pub fn body(&self) -> Option<&Value> {
        match self {
            Self::Body(response) | Self::Struct { response, .. } => response.json(),
            Self::Nothing(_) | Self::Enum { .. } => None,
        }
    }

    pub(crate) fn responses_mut(&mut self) -> &mut [Response] {
        match self {
            Self::Nothing(response) | Self::Body(response) | Self::Struct { response, .. } => from_mut(response),
            Self::Enum { responses, .. } => responses,
        }
    }
}

/// The failure type, with its responses.
#[derive(Clone, Debug)]
pub enum Failure {
    /// `Undocumented`: no failure is declared.
    Undocumented,
    /// The JSON body that all failures share, without headers.
    Shared { responses: Vec<Response> },
    /// An enum `<Operation>Error` with a variant per status.
    Enum { rust: String, responses: Vec<Response> },
}

impl Failure {
    /// The body that all failures share.
    pub fn shared(&self) -> Option<&Value> {
        match self {
            Self::Shared { responses } => responses.first()?.json(),
            Self::Undocumented | Self::Enum { .. } => None,
        }
    }

    /// In the order of the description.
    pub fn responses(&self) -> &[Response] {
        match self {
            Self::Undocumented => &[],
            Self::Shared { responses } | Self::Enum { responses, .. } => responses,
        }
    }

    pub(crate) fn responses_mut(&mut self) -> &mut [Response] {
        match self {
            Self::Undocumented => &mut [],
            Self::Shared { responses, .. } | Self::Enum { responses, .. } => responses,
        }
    }
}

/// One declared response.
#[derive(Clone, Debug)]
pub struct Response {
    /// Its key.
    pub status: Status,
    /// The Rust variant: `Ok`, `NotFound`, `ClientError` for `4XX`, `Default`.
    pub rust: String,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// Typed headers.
    pub headers: Vec<Header>,
    /// Its contents: none, one, or several (an enum `<Operation><Variant>Body`).
    pub contents: Vec<Content>,
    /// The Rust name of the body enum if there are several contents.
    pub body_rust: String,
    /// How a server chooses the media type of its body.
    pub negotiation: Negotiation,
}

/// How a server chooses the media type of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Negotiation {
    /// By `Accept`, among the media types of the operation.
    All,
    /// By `Accept`, within the content that the service returns.
    Within,
    /// It takes the first one: a failure is not negotiated.
    Preferred,
}

impl Response {
    /// Its value, if it is only JSON.
    pub fn json(&self) -> Option<&Value> {
        match self.contents.as_slice() {
            [Content { kind: ContentKind::Json(value), .. }] => Some(value),
            _ => None,
        }
    }
}

/// A key of `responses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// `404`
    Code(u16),
    /// `4` for `4XX`
    Range(u8),
    /// `default`
    Default,
}

/// A header of a response.
#[derive(Clone, Debug)]
pub struct Header {
    /// The header (lower case) and the Rust field.
    pub name: Name,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// What it holds; style `simple`.
    pub value: Value,
    /// Its shape.
    pub shape: super::ParameterShape,
    /// `explode` of an object.
    pub explode: bool,
    /// Whether it is required.
    pub required: bool,
}
