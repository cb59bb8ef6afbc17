//! Request bodies.

use super::{AnyModel, Content, ContentKind, Type};

/// The body of a request.
#[derive(Clone, Debug)]
pub struct RequestBody {
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// Whether it is required: the field `body` is a `T`, else an `Option<T>`.
    pub required: bool,
    /// With one content the field has its type; with several, an enum `<Operation>Body` has a variant for
    /// each.
    pub contents: Vec<Content>,
    /// The Rust name of the enum or of the multipart type, `<Operation>Body`.
    pub rust: String,
}

impl RequestBody {
    /// Its type, if the description defines it.
    pub(crate) fn described_type(&self) -> Option<&Type> {
        match self.contents.as_slice() {
            [Content { kind: ContentKind::Text(_), .. }] => Some(&Type::String),
            [content] => content.kind.whole().map(|value| &value.ty),
            _ => None,
        }
    }

    /// Whether its type has a `Default` in the client.
    pub(crate) fn has_client_default<M: AnyModel>(&self, models: &[M]) -> bool {
        match self.contents.as_slice() {
            [Content { kind: ContentKind::Multipart(multipart), .. }] => multipart.has_client_default(models),
            [content] => content.kind.whole().is_none_or(|value| value.has_client_default(models)),
            contents => contents.len() < 2,
        }
    }
}
