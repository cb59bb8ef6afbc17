//! The servers that a client may choose.

/// A server of the description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The Rust variant.
    pub rust: String,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// The URL as it is written, with its variables.
    pub url: String,
    /// The same in pieces.
    pub pieces: Vec<ServerPiece>,
    /// The variables that the URL has.
    pub variables: Vec<ServerVariable>,
}

/// A piece of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerPiece {
    /// Literal text.
    Literal(String),
    /// The variable with this index.
    Variable(usize),
}

/// A variable in the URL of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerVariable {
    /// The Rust field.
    pub rust: String,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// Its value unless another is chosen.
    pub default: String,
    /// Its values, if they are listed; otherwise any string.
    pub choice: Option<ServerChoice>,
}

/// The listed values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerChoice {
    /// The Rust enum.
    pub rust: String,
    /// The values, and their variants.
    pub values: Vec<(String, String)>,
}
