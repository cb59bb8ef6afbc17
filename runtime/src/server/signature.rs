//! Signatures of received webhooks.

use std::fmt::{self, Debug, Display, Formatter};
use std::sync::Arc;

use axum::body::Body;
use http::request::Parts;
use standardwebhooks::Webhook;

use super::Failure;

/// The secrets that senders of webhooks sign with, by [Standard Webhooks](https://www.standardwebhooks.com).
///
/// A request has a valid signature if `webhook-signature` contains the HMAC-SHA256 of `webhook-id`,
/// `webhook-timestamp` and the body by one of the secrets, and the timestamp is at most 5 minutes away from the
/// clock. A sender may repeat a webhook, with the same `webhook-id`; it is in the headers of the call.
#[derive(Clone)]
pub struct Signatures(Vec<Arc<Webhook>>);

/// A secret is empty or is not base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSecret;

impl Signatures {
    /// Accepts signatures by this secret: base64, optionally after `whsec_`.
    pub fn new(secret: &str) -> Result<Self, InvalidSecret> {
        Self(Vec::new()).or(secret)
    }

    /// Also accepts signatures by this secret, while the sender changes from one to another.
    pub fn or(mut self, secret: &str) -> Result<Self, InvalidSecret> {
        if secret.trim_start_matches("whsec_").is_empty() {
            return Err(InvalidSecret);
        }
        let webhook = Webhook::new(secret).map_err(|_| InvalidSecret)?;
        self.0.push(Arc::new(webhook));
        Ok(self)
    }

    /// Reads the body, at most `limit` bytes, and verifies its signature.
    pub(super) async fn verify(&self, parts: &Parts, body: Body, limit: u64) -> Result<Body, Failure> {
        let bytes = super::Body::new(body, None, None, limit).bytes().await?;
        let mut refusal = Failure::unauthorized("the request has no valid signature");
        for webhook in &self.0 {
            match webhook.verify(&bytes, &parts.headers) {
                Ok(()) => return Ok(Body::from(bytes)),
                Err(error) => refusal = refusal.with_source(error),
            }
        }
        Err(refusal.into())
    }
}

impl Debug for Signatures {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("Signatures")
    }
}

impl Display for InvalidSecret {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("the secret is empty or is not base64")
    }
}

impl std::error::Error for InvalidSecret {}
