//! What an operation can see of a request beyond its parameters and body.

use std::sync::Arc;

use http::request::Parts;
use http::{Extensions, HeaderMap, HeaderName, Method, Uri};

use super::{ApiKey, Basic, Bearer, Operation, media_type};

/// The header with the id of a request; the response repeats it.
pub(super) static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The request of an operation: the caller, and the HTTP request without its body.
#[derive(Clone, Debug)]
pub struct Call<P> {
    head: Arc<Head>,
    principal: P,
}

/// The request without its body, shared.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) operation: &'static Operation,
    pub(super) parts: Parts,
}

impl<P> Call<P> {
    /// Creates a call, for tests.
    pub fn new(principal: P, operation: &'static Operation, parts: Parts) -> Self {
        Self { head: Arc::new(Head { operation, parts }), principal }
    }

    pub(super) fn of(head: Arc<Head>, principal: P) -> Self {
        Self { head, principal }
    }

    /// The caller, as the authenticator identified it.
    pub fn principal(&self) -> &P {
        &self.principal
    }

    /// The caller, if nothing else of the call is needed.
    pub fn into_principal(self) -> P {
        self.principal
    }

    /// Sets the caller.
    pub fn by<Q>(self, principal: Q) -> Call<Q> {
        Call { head: self.head, principal }
    }

    /// Maps the caller.
    pub fn map<Q>(self, see: impl FnOnce(P) -> Q) -> Call<Q> {
        Call { head: self.head, principal: see(self.principal) }
    }

    /// The operation.
    pub fn operation(&self) -> &'static Operation {
        self.head.operation
    }

    /// The method of the request; `HEAD` if a `GET` is answered without its body.
    pub fn method(&self) -> &Method {
        &self.head.parts.method
    }

    /// The URI of the request.
    pub fn uri(&self) -> &Uri {
        &self.head.parts.uri
    }

    /// The headers of the request.
    pub fn headers(&self) -> &HeaderMap {
        &self.head.parts.headers
    }

    /// The media type of the operation's responses that `Accept` rates highest: the first one without `Accept`, and `None`
    /// if none is accepted. An operation whose response has several media types chooses its variant by it.
    pub fn media_type(&self) -> Option<&'static str> {
        media_type::negotiate(self.headers(), self.operation().produces)
    }

    /// Extensions set by middleware.
    pub fn extensions(&self) -> &Extensions {
        &self.head.parts.extensions
    }

    /// The id that the caller or a proxy gave to the request.
    pub fn request_id(&self) -> Option<&str> {
        self.headers().get(&REQUEST_ID)?.to_str().ok()
    }

    /// A user and a password in `Authorization`.
    pub fn basic(&self) -> Option<Basic> {
        Basic::of(self.headers())
    }

    /// A token in `Authorization`.
    pub fn bearer(&self) -> Option<Bearer> {
        Bearer::of(self.headers())
    }

    /// A key in a header.
    pub fn api_key_header(&self, name: &str) -> Option<ApiKey> {
        ApiKey::of_header(self.headers(), name)
    }

    /// A key in the query.
    pub fn api_key_query(&self, name: &str) -> Option<ApiKey> {
        ApiKey::of_query(self.uri().query().unwrap_or_default(), name)
    }

    /// A key in a cookie.
    pub fn api_key_cookie(&self, name: &str) -> Option<ApiKey> {
        ApiKey::of_cookie(self.headers(), name)
    }
}
