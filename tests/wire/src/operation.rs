//! An operation as the generated program lists it.

use std::pin::Pin;

use crate::{Failed, Stage};

/// An operation as the generated program lists it; `C` is the generated client.
#[derive(Clone, Copy, Debug)]
pub struct Operation<C> {
    /// `operationId`, or what is made for it.
    pub id: &'static str,
    /// The HTTP method in lower case.
    pub method: &'static str,
    /// The path template.
    pub path: &'static str,
    /// Every answer there can be: the key of the response and a media type, which is empty where there is no body.
    pub answers: &'static [(&'static str, &'static str)],
    /// Calls it once with random values.
    pub call: fn(C, Stage) -> Calling,
}

/// A call on its way.
pub type Calling = Pin<Box<dyn Future<Output = Result<(), Failed>> + Send>>;
