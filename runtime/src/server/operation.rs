//! Operations of the description as static data.

use super::Requirement;

/// An operation of the description.
#[derive(Debug)]
pub struct Operation {
    /// `operationId`
    pub id: &'static str,
    /// The HTTP method as sent: `GET`.
    pub method: &'static str,
    /// The path template, such as `/accounts/{accountId}`.
    pub path: &'static str,
    /// The path parameters that only accept numbers.
    pub numbers: &'static [&'static str],
    /// The tag it is grouped under.
    pub tag: &'static str,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Whether query names are case-insensitive (ASCII).
    pub any_case: bool,
    /// The alternative sets of credentials, tried in order; empty if the operation is public.
    pub security: &'static [Requirement],
    /// The request body.
    pub body: Option<RequestBody>,
    /// The media types of its successful responses, the preferred one first.
    pub produces: &'static [&'static str],
    /// The schema of all its failures' bodies; `None` if they differ or have no named schema.
    pub failure: Option<&'static str>,
}

/// The body of a request.
#[derive(Debug)]
pub struct RequestBody {
    /// Whether it is required.
    pub required: bool,
    /// Its contents.
    pub contents: &'static [Content],
}

/// One content of a body.
#[derive(Debug)]
pub struct Content {
    /// Its media types; may include ranges such as `application/*+json`.
    pub media_types: &'static [&'static str],
    /// Whether it is streamed instead of buffered.
    pub streamed: bool,
    /// Whether zero bytes are valid: an empty text, an empty file, a form without members.
    pub empty: bool,
}
