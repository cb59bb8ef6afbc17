//! Batch actions and what they have to tell.

/// How serious a line of a log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// 0: all is well.
    Information,
    /// 1: something needs a look.
    Warning,
    /// 2: something has not been done.
    Error,
}

impl Severity {
    /// Its number in the interface.
    pub fn number(self) -> i32 {
        match self {
            Self::Information => 0,
            Self::Warning => 1,
            Self::Error => 2,
        }
    }
}

/// A line of the log of a batch action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// How serious it is.
    pub severity: Severity,
    /// What was done: `Import accounts`.
    pub action: String,
    /// What came of it.
    pub message: String,
}
