//! Errors of multipart bodies that are read.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use crate::violation::Violation;

/// Why a multipart body, or a part of it, cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The body broke off.
    BrokenOff(Box<dyn Error + Send + Sync>),
    /// It is not a multipart body. The text says why.
    Malformed(String),
    /// It is larger than a limit. The text says which.
    TooLarge(String),
    /// It does not match the description.
    Invalid(Vec<Violation>),
    /// The previous part has not been dropped.
    PartHeld,
}

/// What reading a multipart body fails with.
pub trait PartError: Sized {
    /// Whether a body is refused that deviates from the description. Otherwise only values must be readable.
    const IS_STRICT: bool;

    /// Converts the error.
    fn new(error: ReadError) -> Self;
}

/// Deviations from the description are tolerated.
impl PartError for ReadError {
    const IS_STRICT: bool = false;

    fn new(error: ReadError) -> Self {
        error
    }
}

impl From<multer::Error> for ReadError {
    fn from(error: multer::Error) -> Self {
        match error {
            // Errors of the stream pass through the parser, and so does the refusal of a part's headers.
            multer::Error::StreamReadFailed(error) => match error.downcast::<Self>() {
                Ok(own) => *own,
                Err(error) => Self::BrokenOff(error),
            },
            multer::Error::LockFailure => Self::PartHeld,
            error => Self::Malformed(error.to_string()),
        }
    }
}

impl ReadError {
    /// The violations of the description.
    pub fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            Self::BrokenOff(_) | Self::Malformed(_) | Self::TooLarge(_) | Self::PartHeld => &[],
        }
    }
}

impl Display for ReadError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::BrokenOff(_) => formatter.write_str("the body broke off"),
            Self::Malformed(reason) => write!(formatter, "the multipart body cannot be read: {reason}"),
            Self::TooLarge(reason) => formatter.write_str(reason),
            Self::Invalid(violations) => match violations.first() {
                Some(first) if violations.len() > 1 => write!(formatter, "{first}; …"),
                Some(first) => write!(formatter, "{first}"),
                None => formatter.write_str("the body does not match the description"),
            },
            Self::PartHeld => formatter.write_str("the previous part has not been dropped"),
        }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::BrokenOff(source) => Some(source.as_ref()),
            Self::Malformed(_) | Self::TooLarge(_) | Self::Invalid(_) | Self::PartHeld => None,
        }
    }
}
