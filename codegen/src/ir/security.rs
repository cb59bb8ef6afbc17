//! Security schemes and what operations require of them.

use super::Name;

/// A way to say who calls.
#[derive(Clone, Debug)]
pub struct SecurityScheme {
    /// The key in `securitySchemes`; `rust` is a field name in snake case.
    pub name: Name,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// What is sent.
    pub kind: CredentialKind,
}

/// What a scheme sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CredentialKind {
    /// `http` `basic`
    Basic,
    /// `http` `bearer`, `oauth2` and `openIdConnect`
    Bearer,
    /// `apiKey` in the header of that name
    ApiKeyHeader(String),
    /// `apiKey` in the query
    ApiKeyQuery(String),
    /// `apiKey` in a cookie
    ApiKeyCookie(String),
    /// Anything else, such as `mutualTLS`: the authenticator has to look for it, and the client sends nothing by itself.
    Other,
}

/// A set of schemes that are all needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The variant of `Credentials`.
    pub rust: String,
    /// Indices into [`Api::security_schemes`](super::Api::security_schemes), in order.
    pub schemes: Vec<usize>,
}

/// What one operation requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Security {
    /// One of these will do, tried in order: index into [`Api::credentials`](super::Api::credentials) and the scopes
    /// each of its schemes needs, in the order of its `schemes`. Empty: anyone may call.
    pub alternatives: Vec<(usize, Vec<Vec<String>>)>,
    /// `{}` is among them: credentials are read when there, not demanded.
    pub optional: bool,
}
