//! What the description says of an operation, as static data.

use super::Requirement;

/// An operation of the description.
#[derive(Debug)]
pub struct Operation {
    /// `operationId`
    pub id: &'static str,
    /// The HTTP method as it is sent: `GET`.
    pub method: &'static str,
    /// The path template, such as `/accounts/{accountId}`.
    pub path: &'static str,
    /// The parameters in the path that are numbers, and have no other texts.
    pub numbers: &'static [&'static str],
    /// The tag it is grouped under.
    pub tag: &'static str,
    /// It should no longer be used.
    pub deprecated: bool,
    /// Query names are matched in any ASCII letter case.
    pub any_case: bool,
    /// The sets of credentials that will do, tried in order; empty when anyone may call.
    pub security: &'static [Requirement],
    /// What it is sent.
    pub body: Option<RequestBody>,
    /// The media types of its successful answers, the preferred one first.
    pub produces: &'static [&'static str],
    /// The schema that the bodies of all its failures have; `None` where they differ or have none with a name.
    pub failure: Option<&'static str>,
}

/// What an operation is sent.
#[derive(Debug)]
pub struct RequestBody {
    /// It must be there.
    pub required: bool,
    /// The forms it may have.
    pub contents: &'static [Content],
}

/// One form of a body.
#[derive(Debug)]
pub struct Content {
    /// The media types that mean this form; may hold ranges such as `application/*+json`.
    pub media_types: &'static [&'static str],
    /// It is handed on as it arrives instead of being held in memory.
    pub streamed: bool,
    /// No bytes at all are a value of it too: an empty text, an empty file, a form without members.
    pub empty: bool,
}
