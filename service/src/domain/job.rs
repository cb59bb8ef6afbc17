//! Batch actions and their logs.

/// The severity of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// 0: success.
    Information,
    /// 2: something was not done.
    Error,
}

impl Severity {
    /// Its number in the interface.
    pub fn number(self) -> i32 {
        match self {
            Self::Information => 0,
            Self::Error => 2,
        }
    }
}

/// A line of the log of a batch action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Its severity.
    pub severity: Severity,
    /// The action: `Import accounts`.
    pub action: String,
    /// The result.
    pub message: String,
}
