//! The multipart bodies of an operation.

use super::content;
use crate::ir::{ContentKind, Multipart, Operation};

/// The multipart bodies with the names of their types.
pub(crate) fn bodies(operation: &Operation) -> Vec<(String, &Multipart)> {
    let Some(body) = &operation.request_body else { return Vec::new() };
    let several = body.contents.len() > 1;
    let name = |content| if several { content::variant_rust(content, &body.rust) } else { body.rust.clone() };
    let multipart = body.contents.iter().filter_map(|content| match &content.kind {
        ContentKind::Multipart(multipart) => Some((name(content), multipart)),
        ContentKind::Json(_)
        | ContentKind::Xml(_)
        | ContentKind::Text(_)
        | ContentKind::Bytes
        | ContentKind::Form(_)
        | ContentKind::Events(_)
        | ContentKind::JsonLines(_) => None,
    });
    multipart.collect()
}
