//! What a writer expects of a record.

use std::{
    fmt::{self, Debug, Formatter},
    sync::Arc,
};

/// Whether a record is the one that its writer has seen. It is asked while nobody else can change the record.
pub struct Condition<T>(Option<Test<T>>);

type Test<T> = Arc<dyn Fn(&T) -> bool + Send + Sync>;

impl<T> Condition<T> {
    /// Holds of every record.
    pub fn none() -> Self {
        Self(None)
    }

    /// Holds of the records that pass the test.
    pub fn new(test: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(test)))
    }

    /// Whether anything is asked.
    pub(super) fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Whether it holds of this one.
    pub(super) fn holds(&self, record: &T) -> bool {
        self.0.as_ref().is_none_or(|test| test(record))
    }
}

impl<T> Debug for Condition<T> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Condition(…)" } else { "Condition(none)" })
    }
}
