//! Responses.

use super::{Content, Name, Value};

/// What an operation can answer.
#[derive(Clone, Debug)]
pub struct Responses {
    /// Declared statuses below 400 (and ranges and, when nothing else succeeds, `default`), in order.
    pub success: Vec<Response>,
    /// The others.
    pub failure: Vec<Response>,
    /// `<Operation>Response`, the name of the success type when one has to be made.
    pub success_rust: String,
    /// The name of the failure type: `<Operation>Error`, or the body's own type when `shared_failure`.
    pub failure_rust: String,
    /// All failures carry the same single JSON body without headers; then that body is the failure type.
    pub shared_failure: Option<Value>,
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
    /// What it carries: nothing, one content, or several (an enum `<Operation><Variant>Body`).
    pub contents: Vec<Content>,
    /// The Rust name of the body enum when there are several contents.
    pub body_rust: String,
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
    /// It must be there.
    pub required: bool,
}
