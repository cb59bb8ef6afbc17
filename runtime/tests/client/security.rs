//! How callers say who they are.

use crate::runtime::client::{Scheme, SchemeKind};

/// A token in `Authorization`.
pub static BEARER_AUTH: Scheme = Scheme { name: "bearerAuth", kind: SchemeKind::Bearer };

/// A key in the query parameter `api_key`.
pub static API_KEY: Scheme = Scheme { name: "apiKey", kind: SchemeKind::ApiKeyQuery("api_key") };

/// A user and a password in `Authorization`.
pub static BASIC_AUTH: Scheme = Scheme { name: "basicAuth", kind: SchemeKind::Basic };

/// A key in the cookie `tenant`.
pub static TENANT: Scheme = Scheme { name: "tenant", kind: SchemeKind::ApiKeyCookie("tenant") };
