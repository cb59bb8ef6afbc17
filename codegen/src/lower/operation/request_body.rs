//! Request bodies.

use openapiv3::ReferenceOr;

use super::Site;
use crate::diagnostic::Code;
use crate::ir::RequestBody;
use crate::lower::Context;

impl Context<'_> {
    /// What an operation is sent; `None` when the body has no content.
    pub(crate) fn request_body(
        &mut self,
        body: &ReferenceOr<openapiv3::RequestBody>,
        site: &Site<'_>,
    ) -> Option<RequestBody> {
        let (body, location) = self.object(body, &site.location.member("requestBody"))?;
        let content = self.node(&location.member("content"));
        let rust = format!("{}Body", site.rust);
        let contents = content.map(|content| self.contents(&content, &rust)).unwrap_or_default();
        if contents.is_empty() {
            self.report(Code::NotUsed, &location, "this request body has no content")
                .help("say in `content` which media types it has");
            return None;
        }
        let doc = body.description.clone().filter(|text| !text.trim().is_empty());
        Some(RequestBody { doc, required: body.required, contents, rust })
    }
}
