//! Changes of records, as stored and shown.

use std::{fmt, sync::Arc};

use jiff::Timestamp;

use super::caller::Visibility;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The record is new.
    Created,
    /// The record is changed.
    Updated,
    /// The record is deleted.
    Deleted,
}

/// A change of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number. The numbers of a tenant are consecutive, in the order in which changes become visible.
    pub sequence: i64,
    /// When it was made.
    pub on: Timestamp,
    /// The kind of the record: `Account`.
    pub kind: String,
    /// Identifies the record among those of its kind.
    pub record: String,
    /// The account of the record, if any.
    pub account: Option<i32>,
    /// The kind of the change.
    pub action: Action,
}

impl Change {
    /// Approximate size in a response.
    pub(crate) fn bytes(&self) -> usize {
        160 + self.kind.len() + self.record.len()
    }
}

/// A change with its author and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The change.
    pub change: Change,
    /// Id and name of the token; `None` for changes without a caller.
    pub token: Option<(i32, String)>,
    /// The assignee it was made for.
    pub assignee: Option<i32>,
    /// The action: the `operationId`, or that of a command or the scheduler.
    pub operation: String,
    /// The record before, as JSON.
    pub before: Option<String>,
    /// The record after, as JSON.
    pub after: Option<String>,
}

/// A query of changes.
#[derive(Clone, Debug, Default)]
pub struct ChangeQuery {
    /// Changes with a higher number.
    pub after: i64,
    /// Maximum number of changes.
    pub limit: u32,
    /// Only changes of visible accounts' records.
    pub visible: Visibility,
}

/// Changes in ascending order, and the position to continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The changes.
    pub changes: Vec<Change>,
    /// The `after` of the next query; may exceed the last number here.
    pub next_after: i64,
    /// Whether there are later changes.
    pub has_more: bool,
}

/// The result of a query of changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feed {
    /// The changes.
    Changes(Changes),
    /// Changes after the query's number have been removed; the first remaining one has this number.
    Removed {
        /// The lowest number.
        first: i64,
    },
    /// The query's number has never been used: the store was replaced, for example by a restore.
    Ahead {
        /// The highest number.
        last: i64,
    },
}

/// Identifies a changed record.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The kind of the record: `Account`.
    pub kind: Arc<str>,
    /// Identifies the record among those of its kind.
    pub record: String,
    /// The account of the record, if any.
    pub account: Option<i32>,
}

impl Action {
    /// The kind of change, from the existence of the record before and after.
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
    /// A record without an account.
    pub fn new(kind: impl Into<Arc<str>>, record: impl fmt::Display) -> Self {
        Self { kind: kind.into(), record: record.to_string(), account: None }
    }

    /// Sets the account.
    #[must_use]
    pub fn of_account(self, account: Option<i32>) -> Self {
        Self { account, ..self }
    }
}
