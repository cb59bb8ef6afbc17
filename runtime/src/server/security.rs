//! Security schemes, and the credentials of requests.

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, COOKIE, HeaderMap, WWW_AUTHENTICATE};
use percent_encoding::percent_decode_str;

use super::{Failure, Head};

pub use crate::scheme::{Scheme, SchemeKind};

/// Schemes that are required together.
#[derive(Debug)]
pub struct Requirement {
    /// All required schemes.
    pub schemes: &'static [&'static Scheme],
    /// The required scopes.
    pub scopes: &'static [&'static str],
}

/// A user and a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Basic {
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
}

/// A token.
#[derive(Clone, PartialEq, Eq)]
pub struct Bearer {
    /// The token.
    pub token: String,
}

/// A key.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The key.
    pub key: String,
}

// `Debug` output ends up in logs, so it hides credentials.
impl Debug for Basic {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Basic").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Debug for Bearer {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Bearer").finish_non_exhaustive()
    }
}

impl Debug for ApiKey {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ApiKey").finish_non_exhaustive()
    }
}

impl Basic {
    /// Reads `Authorization: Basic …`.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let decoded = STANDARD.decode(authorization(headers, "Basic")?).ok()?;
        let decoded = String::from_utf8(decoded).ok()?;
        let (user, password) = decoded.split_once(':')?;
        Some(Self { user: user.to_owned(), password: password.to_owned() })
    }
}

impl Bearer {
    /// Reads `Authorization: Bearer …`.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        authorization(headers, "Bearer").map(|token| Self { token: token.to_owned() })
    }
}

impl ApiKey {
    /// Reads a header.
    pub(super) fn of_header(headers: &HeaderMap, name: &str) -> Option<Self> {
        let key = headers.get(name)?.to_str().ok()?;
        Some(Self { key: key.to_owned() })
    }

    /// Reads a query parameter.
    pub(super) fn of_query(query: &str, name: &str) -> Option<Self> {
        let (_, key) = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(found, _)| percent_decode_str(&found.replace('+', " ")).eq(name.bytes()))?;
        let key = percent_decode_str(&key.replace('+', " ")).decode_utf8().ok()?.into_owned();
        Some(Self { key })
    }

    /// Reads a cookie.
    pub(super) fn of_cookie(headers: &HeaderMap, name: &str) -> Option<Self> {
        let (_, key) = headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find(|(found, _)| *found == name)?;
        let key = key.trim_matches('"');
        Some(Self { key: percent_decode_str(key).decode_utf8().map_or_else(|_| key.to_owned(), Cow::into_owned) })
    }
}

/// What follows the scheme in `Authorization`.
fn authorization<'h>(headers: &'h HeaderMap, scheme: &str) -> Option<&'h str> {
    let (found, credentials) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    Some(credentials.trim()).filter(|credentials| found.eq_ignore_ascii_case(scheme) && !credentials.is_empty())
}

/// Adds `WWW-Authenticate` with every scheme that the operation accepts, unless the failure has one already.
pub(super) fn challenge(failure: Failure, head: &Head) -> Failure {
    if failure.headers().contains_key(WWW_AUTHENTICATE) {
        return failure;
    }
    let mut schemes: Vec<&Scheme> = Vec::new();
    for scheme in head.operation.security.iter().flat_map(|requirement| requirement.schemes) {
        if !schemes.contains(scheme) {
            schemes.push(scheme);
        }
    }
    schemes.into_iter().fold(failure, |failure, scheme| {
        let name = scheme.name;
        let challenge = match &scheme.kind {
            SchemeKind::Other => return failure,
            SchemeKind::Basic => format!(r#"Basic realm="{name}", charset="UTF-8""#),
            SchemeKind::Bearer if Bearer::of(&head.parts.headers).is_some() => {
                format!(r#"Bearer realm="{name}", error="invalid_token""#)
            }
            SchemeKind::Bearer => format!(r#"Bearer realm="{name}""#),
            SchemeKind::ApiKeyHeader(header) => format!(r#"ApiKey realm="{name}", in="header", name="{header}""#),
            SchemeKind::ApiKeyQuery(parameter) => format!(r#"ApiKey realm="{name}", in="query", name="{parameter}""#),
            SchemeKind::ApiKeyCookie(cookie) => format!(r#"ApiKey realm="{name}", in="cookie", name="{cookie}""#),
        };
        failure.with_header(WWW_AUTHENTICATE, challenge)
    })
}
