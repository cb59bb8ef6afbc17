//! Requests with an `Idempotency-Key`.

use jiff::Timestamp;

use super::Service;
use crate::domain::idempotency::{IdempotencyKey, RequestHash};

/// The key of a request, if any; `parts` are its complete content.
pub(super) fn key(service: &Service, key: Option<String>, parts: &[&[u8]]) -> Option<IdempotencyKey> {
    let kept = service.config.bounds.idempotency;
    key.map(|key| IdempotencyKey {
        key,
        request: RequestHash::of(parts),
        kept_since: Timestamp::now().saturating_sub(kept).unwrap_or(Timestamp::MIN),
    })
}

/// `Idempotency-Replayed`, present only if true.
pub(super) fn replayed(is_replayed: bool) -> Option<bool> {
    is_replayed.then_some(true)
}
