//! Security schemes, as both sides know them.

/// A security scheme.
#[derive(Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Its key in `securitySchemes`.
    pub name: &'static str,
    /// Its kind.
    pub kind: SchemeKind,
}

/// The kind of a scheme.
#[derive(Debug, PartialEq, Eq)]
pub enum SchemeKind {
    /// A user and a password in `Authorization`.
    Basic,
    /// A token in `Authorization`.
    Bearer,
    /// A key in the header with this name.
    ApiKeyHeader(&'static str),
    /// A key in the query parameter with this name.
    ApiKeyQuery(&'static str),
    /// A key in the cookie with this name.
    ApiKeyCookie(&'static str),
    /// Anything else, such as a client certificate: the client sends nothing by itself, and the authenticator of a
    /// server looks for it.
    Other,
}
