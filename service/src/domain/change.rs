//! Changes of records, as stored and shown.

use std::{fmt, sync::Arc};

use generated_server::models::RecordChange;

/// A change with its author and content.
#[derive(Clone, Debug)]
pub struct AuditEntry {
    /// The change.
    pub change: RecordChange,
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

/// Changes in ascending order, and the position to continue.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The changes.
    pub changes: Vec<RecordChange>,
    /// The `after` of the next query; may exceed the last number here.
    pub next_after: i64,
    /// Whether there are later changes.
    pub has_more: bool,
}

/// The result of a query of changes.
#[derive(Clone, Debug)]
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
