//! Request bodies.

use super::Content;

/// What an operation is sent.
#[derive(Clone, Debug)]
pub struct RequestBody {
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// It must be there: the field `body` is a `T`, else an `Option<T>`.
    pub required: bool,
    /// One: the field holds its type. Several: an enum `<Operation>Body` with a variant each.
    pub contents: Vec<Content>,
    /// The Rust name of the enum or of the multipart type, `<Operation>Body`.
    pub rust: String,
}
