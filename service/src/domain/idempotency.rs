//! Requests that run once, however often they are sent.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

/// Identifies a repeated request, for one operation and one token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The caller's key.
    pub key: String,
    /// The hash of the request.
    pub request: RequestHash,
    /// Keys used before this time are forgotten.
    pub kept_since: Timestamp,
}

/// The SHA-256 of a request's content, without the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestHash(pub [u8; 32]);

impl RequestHash {
    /// Hashes all parts in order.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // Hash the length, too, so that different lists of parts differ.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

/// The result of a write.
#[derive(Clone, Debug, PartialEq)]
pub struct Done<T> {
    /// The created value, as of then.
    pub value: T,
    /// Whether an earlier request with the same key created it.
    pub is_replayed: bool,
}
