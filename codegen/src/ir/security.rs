//! Security schemes and what operations require of them.

use super::Name;

/// A security scheme.
#[derive(Clone, Debug)]
pub struct SecurityScheme {
    /// The key in `securitySchemes`; `rust` is a field name in snake case.
    pub name: Name,
    /// The method of the client's builder that takes its credential.
    pub builder_method: String,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// Its kind.
    pub kind: CredentialKind,
}

/// The kind of a scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CredentialKind {
    /// `http` `basic`
    Basic,
    /// `http` `bearer`, `oauth2` and `openIdConnect`
    Bearer,
    /// `apiKey` in the header with this name
    ApiKeyHeader(String),
    /// `apiKey` in the query
    ApiKeyQuery(String),
    /// `apiKey` in a cookie
    ApiKeyCookie(String),
    /// Anything else, such as `mutualTLS`: left to the authenticator, and never sent by the client.
    Other,
}

/// A set of schemes that are required together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The variant of `Credentials`.
    pub rust: String,
    /// Indices into [`Contents::security_schemes`](super::Contents::security_schemes), in order.
    pub schemes: Vec<usize>,
}

/// The security requirement of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Security {
    /// The alternatives in order: an index into [`Contents::credentials`](super::Contents::credentials), and the scopes
    /// that each of its schemes requires. Empty: the operation is public.
    pub alternatives: Vec<(usize, Vec<Vec<String>>)>,
    /// Whether `{}` is among them: credentials are read if present, but not required.
    pub optional: bool,
}

impl Security {
    /// The sets of schemes of the alternatives, each once: alternatives may differ only in scopes.
    pub fn sets(&self) -> Vec<usize> {
        let mut sets = Vec::new();
        for (index, _) in &self.alternatives {
            if !sets.contains(index) {
                sets.push(*index);
            }
        }
        sets
    }
}
