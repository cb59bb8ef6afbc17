//! What an operation knows of the request beyond its parameters and body.

use std::sync::Arc;

use http::request::Parts;
use http::{Extensions, HeaderMap, Method, Uri};

use super::{ApiKey, Basic, Bearer, Operation};

/// The header that carries the id of a request; it is sent back.
pub(super) const REQUEST_ID: &str = "x-request-id";

/// The request an operation answers: who calls, and what HTTP says of it.
#[derive(Clone, Debug)]
pub struct Call<P> {
    head: Arc<Head>,
    principal: P,
}

/// A request without its body, shared by all who look at it.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) operation: &'static Operation,
    pub(super) parts: Parts,
}

impl<P> Call<P> {
    /// A call of one's own making, for tests.
    pub fn new(principal: P, operation: &'static Operation, parts: Parts) -> Self {
        Self { head: Arc::new(Head { operation, parts }), principal }
    }

    pub(super) fn of(head: Arc<Head>, principal: P) -> Self {
        Self { head, principal }
    }

    /// Who calls, as the authenticator found.
    pub fn principal(&self) -> &P {
        &self.principal
    }

    /// Who calls, when nothing else of the call is needed.
    pub fn into_principal(self) -> P {
        self.principal
    }

    /// The same call, by someone.
    pub fn by<Q>(self, principal: Q) -> Call<Q> {
        Call { head: self.head, principal }
    }

    /// The same call, by someone who is seen differently.
    pub fn map<Q>(self, see: impl FnOnce(P) -> Q) -> Call<Q> {
        Call { head: self.head, principal: see(self.principal) }
    }

    /// What is called.
    pub fn operation(&self) -> &'static Operation {
        self.head.operation
    }

    /// The method of the request; `HEAD` where a `GET` is answered without its body.
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

    /// What middleware has attached to the request.
    pub fn extensions(&self) -> &Extensions {
        &self.head.parts.extensions
    }

    /// The id that the caller or a proxy gave the request.
    pub fn request_id(&self) -> Option<&str> {
        self.headers().get(REQUEST_ID)?.to_str().ok()
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
