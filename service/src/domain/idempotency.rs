//! Requests that are done once, however often they come.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

/// What makes a request known when it comes again, for one operation and one token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// What the caller names the request.
    pub key: String,
    /// What the request asks for.
    pub request: RequestHash,
    /// A key that was used before this moment is forgotten.
    pub kept_since: Timestamp,
}

/// The SHA-256 of what a request asks for; the key itself is no part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestHash(pub [u8; 32]);

impl RequestHash {
    /// Of all parts, in this order.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // With its length, so that no two lists of parts read alike.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

/// What a write gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Done<T> {
    /// What was made, as it was then.
    pub value: T,
    /// Whether an earlier request with the same key has made it.
    pub is_replayed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_apart() {
        assert_ne!(RequestHash::of(&[b"ab", b"c"]), RequestHash::of(&[b"a", b"bc"]));
        assert_eq!(RequestHash::of(&[b"ab", b"c"]), RequestHash::of(&[b"ab", b"c"]));
    }
}
