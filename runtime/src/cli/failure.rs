//! Why a command failed, and the exit code that says so.

use std::io;
use std::process::ExitCode;

/// The end of a command that did not succeed.
#[derive(Debug)]
pub(super) struct Failure {
    code: u8,
    text: String,
}

impl Failure {
    /// The service refused.
    pub(super) fn refused(text: impl Into<String>) -> Self {
        Self { code: 1, text: text.into() }
    }

    /// The command line, the configuration or a value is wrong; nothing was sent.
    pub(super) fn usage(text: impl Into<String>) -> Self {
        Self { code: 2, text: text.into() }
    }

    /// The service did not answer.
    pub(super) fn unanswered(text: impl Into<String>) -> Self {
        Self { code: 3, text: text.into() }
    }

    /// Prints the failure to standard error.
    pub(super) fn report(&self) -> ExitCode {
        if !self.text.is_empty() {
            eprintln!("error: {}", self.text);
        }
        ExitCode::from(self.code)
    }
}

/// A failure to write the output. A reader that has enough, such as `head`, closes the pipe, which is a good end.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self { code: 0, text: String::new() };
        }
        Self::refused(format!("the output cannot be written: {error}"))
    }
}
