//! The header `Host` (RFC 9112, section 3.2).

use axum::http::{HeaderMap, Version, header, uri::Authority};

/// Whether the `Host` header is valid: exactly one in HTTP/1.1, at most one in other versions.
pub(super) fn is_said(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => version != Version::HTTP_11,
        (Some(host), None) => host.is_empty() || Authority::try_from(host.as_bytes()).is_ok(),
        (Some(_), Some(_)) => false,
    }
}
