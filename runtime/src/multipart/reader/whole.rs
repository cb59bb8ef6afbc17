//! The rules of a body as a whole, checked after its last part.

use super::MultipartReader;
#[cfg(feature = "schema")]
use super::values::Values;
use crate::rule::{Rule, check_members};
use crate::violation::{Location, Notes, Violation};

/// The rules, and what is known of the parts.
#[derive(Debug, Default)]
pub(super) struct Whole {
    rules: &'static [Rule<'static>],
    #[cfg(feature = "schema")]
    pub(super) values: Values,
}

impl Whole {
    /// The rules that the parts break together; `has` says whether a part has arrived.
    pub(super) fn violations(&self, has: &dyn Fn(&str) -> bool) -> Vec<Violation> {
        let mut notes = Notes::new(Location::Body);
        // The number of parts has been checked.
        check_members(0, has, self.rules, &mut notes);
        #[cfg(feature = "schema")]
        self.values.check(self.rules, &mut notes);
        notes.into_violations()
    }
}

impl<E> MultipartReader<E> {
    /// Checks the body against rules for which parts go together, and for their values.
    pub(crate) fn checked(mut self, rules: &'static [Rule<'static>]) -> Self {
        self.whole = Whole {
            rules,
            #[cfg(feature = "schema")]
            values: Values::new(rules, self.limits.part),
        };
        self
    }
}
