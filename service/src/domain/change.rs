//! Changes of records, as they are kept and shown.

use std::{fmt, sync::Arc};

use jiff::Timestamp;

use super::caller::Visibility;

/// What becomes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It was not there before.
    Created,
    /// It is another than before.
    Updated,
    /// It is gone.
    Deleted,
}

/// A change of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number. Numbers of a tenant rise without gaps, in the order in which changes become visible.
    pub sequence: i64,
    /// When it was made.
    pub on: Timestamp,
    /// The kind of the record: `Account`.
    pub kind: String,
    /// Identifies the record among those of its kind.
    pub record: String,
    /// The account that the record belongs to, if it belongs to one.
    pub account: Option<i32>,
    /// What has become of it.
    pub action: Action,
}

impl Change {
    /// What it takes in an answer, about.
    pub(crate) fn bytes(&self) -> usize {
        160 + self.kind.len() + self.record.len()
    }
}

/// A change, who has made it, and what exactly it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// What has become of which record.
    pub change: Change,
    /// Number and name of the token; none when no caller has asked for the change.
    pub token: Option<(i32, String)>,
    /// The assignee on whose behalf it was made.
    pub assignee: Option<i32>,
    /// What was done: the `operationId`, or what a command or the scheduler did.
    pub operation: String,
    /// The record before, as JSON.
    pub before: Option<String>,
    /// The record after, as JSON.
    pub after: Option<String>,
}

/// Which changes are wanted.
#[derive(Clone, Debug, Default)]
pub struct ChangeQuery {
    /// Changes with a higher number.
    pub after: i64,
    /// At most so many.
    pub limit: u32,
    /// Only changes of records of accounts that may be seen.
    pub visible: Visibility,
}

/// Some changes, lowest number first, and where to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The changes.
    pub changes: Vec<Change>,
    /// The number that the next query comes after; it can be higher than that of the last change here.
    pub next_after: i64,
    /// Whether there are numbers beyond it already.
    pub has_more: bool,
}

/// The answer to a query for changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feed {
    /// The changes.
    Changes(Changes),
    /// Changes behind the number of the query have been removed since: the first that is there has this number.
    Removed {
        /// The lowest number.
        first: i64,
    },
    /// No change has had the number of the query: the store is another one than it was, such as after a restore.
    Ahead {
        /// The highest number.
        last: i64,
    },
}

/// What a record that changes is called.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The kind of the record: `Account`.
    pub kind: Arc<str>,
    /// Identifies the record among those of its kind.
    pub record: String,
    /// The account that the record belongs to, if it belongs to one.
    pub account: Option<i32>,
}

impl Action {
    /// What becomes of a record that is there before or after.
    pub fn of(is_before: bool, is_after: bool) -> Self {
        match (is_before, is_after) {
            (false, _) => Self::Created,
            (true, true) => Self::Updated,
            (true, false) => Self::Deleted,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Deleted => "deleted",
        })
    }
}

impl Subject {
    /// A record of no account.
    pub fn new(kind: impl Into<Arc<str>>, record: impl fmt::Display) -> Self {
        Self { kind: kind.into(), record: record.to_string(), account: None }
    }

    /// The same, of this account.
    #[must_use]
    pub fn of_account(self, account: Option<i32>) -> Self {
        Self { account, ..self }
    }
}
