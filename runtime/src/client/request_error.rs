//! The problems that keep a call from being sent.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::Operation;

/// A call that was not sent.
#[derive(Debug)]
pub struct RequestError {
    pub(super) operation: &'static Operation,
    pub(super) problem: RequestProblem,
}

/// The problem.
#[derive(Debug)]
#[non_exhaustive]
pub enum RequestProblem {
    /// The operation requires credentials, and there are none for any set of schemes that it accepts.
    NoCredentials {
        /// The sets, with their schemes joined by `and`.
        accepted: Vec<String>,
    },
    /// The provider returned a credential of a kind that the scheme does not send.
    WrongCredential {
        /// The scheme.
        scheme: &'static str,
    },
    /// The provider failed.
    Provider {
        /// The scheme.
        scheme: &'static str,
        /// The error of the provider.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A path parameter would turn the path into another one.
    Path {
        /// The segment of the template.
        segment: String,
        /// The segment with the values.
        text: String,
    },
    /// A header has a value that HTTP does not allow.
    Header {
        /// The name of the header.
        name: String,
    },
    /// A number is infinite or NaN, which JSON and URLs cannot express.
    Number {
        /// The parameter, the part, or the JSON Pointer into the body.
        place: String,
    },
    /// An additional member has the name of a described one.
    Repeated {
        /// The JSON Pointer into the body or the part.
        place: String,
    },
    /// XML cannot express a value of the body.
    Xml {
        /// The value, and what is wrong with it.
        reason: String,
    },
    /// A list or a text would arrive as a different one: an item contains the separator of its style, the only item of
    /// a list is empty, or a header begins or ends with blanks.
    Delimiter {
        /// The name of the parameter, or of the member of the form.
        parameter: &'static str,
    },
    /// A part without a name would arrive at another position, because a part before it is left out.
    Gap {
        /// Its position, from 0.
        position: usize,
    },
    /// The URL is invalid.
    Url {
        /// The reason.
        reason: String,
    },
    /// The next page cannot be requested, because the body of the call is a stream, which can be sent only once.
    Stream,
}

impl RequestError {
    /// The operation.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// The problem.
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
            Self::Repeated { place } => {
                write!(formatter, "the additional member {place} has the name of a described one")
            }
            Self::Xml { reason } => write!(formatter, "XML cannot express its body: {reason}"),
            Self::Delimiter { parameter } => write!(
                formatter,
                "`{parameter}` would arrive as another value: an item holds what stands between items, or blanks at its end"
            ),
            Self::Gap { position } => {
                write!(formatter, "a part before the one at position {position} of its body is left out")
            }
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
            | RequestProblem::Repeated { .. }
            | RequestProblem::Xml { .. }
            | RequestProblem::Delimiter { .. }
            | RequestProblem::Gap { .. }
            | RequestProblem::Url { .. }
            | RequestProblem::Stream => None,
        }
    }
}
