//! Conditions of writers on a record.

use std::{
    fmt::{self, Debug, Formatter},
    sync::Arc,
};

/// Whether a record is in the expected state; checked while the record is locked.
pub struct Condition<T>(Option<Test<T>>);

type Test<T> = Arc<dyn Fn(&T) -> bool + Send + Sync>;

impl<T> Condition<T> {
    /// Always holds.
    pub fn none() -> Self {
        Self(None)
    }

    /// Holds if the record passes the test.
    pub fn new(test: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(test)))
    }

    /// Whether there is a condition.
    pub(super) fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Whether the condition holds for the record.
    pub(super) fn holds(&self, record: &T) -> bool {
        self.0.as_ref().is_none_or(|test| test(record))
    }
}

impl<T> Clone for Condition<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Debug for Condition<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Condition(…)" } else { "Condition(none)" })
    }
}
