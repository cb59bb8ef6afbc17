//! Security schemes, and the credentials that are sent for them.

use std::fmt::{self, Debug, Formatter};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;

pub use crate::scheme::{Scheme, SchemeKind};

/// The credentials that an operation requires.
#[derive(Clone, Copy, Debug)]
pub struct Security {
    /// The accepted sets of schemes. The first set for which there are credentials is sent.
    pub alternatives: &'static [&'static [&'static Scheme]],
    /// Whether it can be called without credentials.
    pub optional: bool,
}

impl Security {
    /// No credentials are required.
    pub const NONE: Self = Self { alternatives: &[], optional: true };

    /// One of `alternatives` is required.
    pub const fn required(alternatives: &'static [&'static [&'static Scheme]]) -> Self {
        Self { alternatives, optional: false }
    }

    /// One of `alternatives` is sent if there are credentials for it.
    pub const fn optional(alternatives: &'static [&'static [&'static Scheme]]) -> Self {
        Self { alternatives, optional: true }
    }
}

/// A user with a password, a token, or a key.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    secret: Secret,
    expires: Option<Instant>,
}

#[derive(Clone, PartialEq, Eq)]
enum Secret {
    Basic { user: String, password: String },
    Bearer(String),
    ApiKey(String),
}

impl Credential {
    /// A user and a password.
    pub fn basic(user: impl Into<String>, password: impl Into<String>) -> Self {
        Self::new(Secret::Basic { user: user.into(), password: password.into() })
    }

    /// A token.
    pub fn bearer(token: impl Into<String>) -> Self {
        Self::new(Secret::Bearer(token.into()))
    }

    /// A key.
    pub fn api_key(key: impl Into<String>) -> Self {
        Self::new(Secret::ApiKey(key.into()))
    }

    /// Sets how long it is valid. When `lifetime` has passed, the provider is asked for another one.
    #[must_use]
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
        self.expires = Instant::now().checked_add(lifetime);
        self
    }

    pub(super) fn has_expired(&self) -> bool {
        self.expires.is_some_and(|expires| expires <= Instant::now())
    }

    /// Whether it is the same user, token or key; the lifetime is ignored.
    pub(super) fn proves_the_same_as(&self, other: &Self) -> bool {
        self.secret == other.secret
    }

    /// The text that is sent for a scheme; `None` if the scheme needs another kind of credential.
    pub(super) fn text(&self, kind: &SchemeKind) -> Option<String> {
        match (kind, &self.secret) {
            (SchemeKind::Basic, Secret::Basic { user, password }) => {
                Some(format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))))
            }
            (SchemeKind::Bearer, Secret::Bearer(token)) => Some(format!("Bearer {token}")),
            (
                SchemeKind::ApiKeyHeader(_) | SchemeKind::ApiKeyQuery(_) | SchemeKind::ApiKeyCookie(_),
                Secret::ApiKey(key),
            ) => Some(key.clone()),
            (
                SchemeKind::Basic
                | SchemeKind::Bearer
                | SchemeKind::ApiKeyHeader(_)
                | SchemeKind::ApiKeyQuery(_)
                | SchemeKind::ApiKeyCookie(_)
                | SchemeKind::Other,
                Secret::Basic { .. } | Secret::Bearer(_) | Secret::ApiKey(_),
            ) => None,
        }
    }

    fn new(secret: Secret) -> Self {
        Self { secret, expires: None }
    }
}

// Not derived: credentials must not appear in logs.
impl Debug for Credential {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Credential").field("expires", &self.expires).finish_non_exhaustive()
    }
}

/// A header value that logs do not show; `None` if `text` cannot be a header value.
pub(super) fn secret_header(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_bytes(text.as_bytes()).ok()?;
    value.set_sensitive(true);
    Some(value)
}
