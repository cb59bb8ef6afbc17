//! Why a call cannot be sent.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::Operation;

/// A call that was not sent.
#[derive(Debug)]
pub struct RequestError {
    pub(super) operation: &'static Operation,
    pub(super) problem: RequestProblem,
}

/// What is in the way.
#[derive(Debug)]
#[non_exhaustive]
pub enum RequestProblem {
    /// The operation wants credentials, and there are none for any set of schemes that it accepts.
    NoCredentials {
        /// The sets, their schemes joined by `and`.
        accepted: Vec<String>,
    },
    /// The provider has a credential of another kind than the scheme sends.
    WrongCredential {
        /// The scheme.
        scheme: &'static str,
    },
    /// The provider gives no credential.
    Provider {
        /// The scheme.
        scheme: &'static str,
        /// Its reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A path parameter that would make it the path of something else.
    Path {
        /// The segment, as the description has it.
        segment: String,
        /// What became of it.
        text: String,
    },
    /// A header that HTTP does not allow.
    Header {
        /// Its name.
        name: String,
    },
    /// A number that is infinite or NaN, which has no form in JSON or in a URL.
    Number {
        /// The parameter, the part, or the place in the body as a JSON Pointer.
        place: String,
    },
    /// A list or a text that would arrive as another one: an item holds what its style puts between the items, the only
    /// item of a list is empty, or a header has blanks at an end.
    Delimiter {
        /// The name of the parameter, or of the member of a form.
        parameter: &'static str,
    },
    /// The URL is none.
    Url {
        /// What is wrong with it.
        reason: String,
    },
    /// The next page cannot be asked for: the body of the call is a stream, which can be sent once only.
    Stream,
}

impl RequestError {
    /// What was not sent.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// What is in the way.
    pub fn problem(&self) -> &RequestProblem {
        &self.problem
    }
}

impl Display for RequestError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} cannot be sent: {}", self.operation, self.problem)
    }
}

impl Display for RequestProblem {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCredentials { accepted } => {
                write!(formatter, "it needs credentials for {}; the client has none", accepted.join(" or "))
            }
            Self::WrongCredential { scheme } => {
                write!(formatter, "the credential for `{scheme}` is not of the kind that it sends")
            }
            Self::Provider { scheme, .. } => write!(formatter, "its credential provider has none for `{scheme}`"),
            Self::Path { segment, text } => {
                write!(formatter, "`{segment}` of its path is `{text}`, which is another path")
            }
            Self::Header { name } => write!(formatter, "the value of the header `{name}` is not valid"),
            Self::Number { place } => write!(formatter, "the number {place} is infinite or NaN"),
            Self::Delimiter { parameter } => write!(
                formatter,
                "`{parameter}` would arrive as another value: an item holds what stands between items, or blanks at its end"
            ),
            Self::Url { reason } => write!(formatter, "its URL is not valid: {reason}"),
            Self::Stream => formatter.write_str("its body is a stream, which is sent once only"),
        }
    }
}

impl Error for RequestError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            RequestProblem::Provider { source, .. } => Some(source.as_ref()),
            RequestProblem::NoCredentials { .. }
            | RequestProblem::WrongCredential { .. }
            | RequestProblem::Path { .. }
            | RequestProblem::Header { .. }
            | RequestProblem::Number { .. }
            | RequestProblem::Delimiter { .. }
            | RequestProblem::Url { .. }
            | RequestProblem::Stream => None,
        }
    }
}
