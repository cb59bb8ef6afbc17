//! Request bodies.

use openapiv3::ReferenceOr;

use super::Site;
use super::content::{Within, read_contents};
use crate::diagnostic::Code;
use crate::ir::RequestBody;
use crate::lower::reference::{node_at, resolve};
use crate::lower::schema::reader::Reader;

/// Reads the body; `None` if it has no content.
pub(crate) fn read_request_body(
    reader: &mut Reader<'_>,
    body: &ReferenceOr<openapiv3::RequestBody>,
    site: &Site<'_>,
) -> Option<RequestBody> {
    let (body, location) = resolve(&mut reader.resolver, body, &site.location.member("requestBody"))?;
    let content = node_at(reader.resolver.document, &location.member("content"));
    let rust = format!("{}Body", site.rust);
    let contents = content.map(|content| read_contents(reader, &content, Within::Request, &rust)).unwrap_or_default();
    if contents.is_empty() {
        reader
            .report(Code::NotUsed, &location, "this request body has no content")
            .help("say in `content` which media types it has");
        return None;
    }
    let doc = body.description.clone().filter(|text| !text.trim().is_empty());
    Some(RequestBody { doc, required: body.required, contents, rust })
}
