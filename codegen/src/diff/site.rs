//! The place that is being compared, and how to report a difference there.

use super::change::{Change, Edition, Reached};
use super::rule::Rule;
use crate::ir::Api;
use crate::location::Location;

/// The directions in which a value is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Direction {
    /// To the server.
    pub(super) request: bool,
    /// To the caller.
    pub(super) response: bool,
}

impl Direction {
    pub(super) const REQUEST: Self = Self { request: true, response: false };
    pub(super) const RESPONSE: Self = Self { request: false, response: true };
}

/// The place that is being compared.
#[derive(Clone, Debug)]
pub(super) struct Site<'a> {
    /// Its name in messages: ``the query parameter `limit` ``.
    pub(super) what: String,
    pub(super) direction: Direction,
    pub(super) old: &'a Location,
    pub(super) new: &'a Location,
    /// The operations that reach it.
    pub(super) operations: &'a [Reached],
}

impl<'a> Site<'a> {
    /// A part of it, at the same location.
    pub(super) fn named(&self, what: impl Into<String>) -> Self {
        Self { what: what.into(), ..self.clone() }
    }

    /// A part of it, at its own location.
    pub(super) fn part(&self, what: impl Into<String>, old: Option<&'a Location>, new: Option<&'a Location>) -> Self {
        Self { what: what.into(), old: old.unwrap_or(self.old), new: new.unwrap_or(self.new), ..self.clone() }
    }
}

/// Whether an old and a new value are the same.
type Criterion<'c, T> = &'c dyn Fn(&T, &T) -> bool;

/// Pairs old and new values: those that are the same by the first criterion, then the rest by the next one.
pub(super) fn pairs<'a, T>(old: &[&'a T], new: &[&'a T], criteria: &[Criterion<'_, T>]) -> Vec<(&'a T, &'a T)> {
    let mut pairs: Vec<(&T, &T)> = Vec::new();
    for is_same in criteria {
        for after in new {
            let is_free = |before: &T| {
                pairs.iter().all(|(left, right)| !std::ptr::eq(*left, before) && !std::ptr::eq(*right, *after))
            };
            let before = old.iter().find(|before| is_free(before) && is_same(before, after));
            pairs.extend(before.map(|before| (*before, *after)));
        }
    }
    pairs
}

/// Both descriptions, and the differences found so far.
pub(super) struct Context<'a> {
    pub(super) old: &'a Api,
    pub(super) new: &'a Api,
    pub(super) changes: Vec<Change>,
}

impl Context<'_> {
    /// Whether the new description has a type of that name.
    pub(super) fn still_has(&self, rust: &str) -> bool {
        self.new.models.binary_search_by(|model| model.name.rust.as_str().cmp(rust)).is_ok()
    }

    /// Reports a difference, located in the new description.
    pub(super) fn report(&mut self, rule: Rule, site: &Site<'_>, message: impl Into<String>) -> &mut Change {
        self.add(rule, (Edition::New, site.new), site, message.into())
    }

    /// Reports something that only the old description has.
    pub(super) fn report_gone(&mut self, rule: Rule, site: &Site<'_>, message: impl Into<String>) -> &mut Change {
        self.add(rule, (Edition::Old, site.old), site, message.into())
    }

    fn add(
        &mut self,
        rule: Rule,
        (edition, location): (Edition, &Location),
        site: &Site<'_>,
        message: String,
    ) -> &mut Change {
        let index = self.changes.len();
        self.changes.push(Change {
            rule,
            message,
            effects: Vec::new(),
            edition,
            location: location.clone(),
            operations: site.operations.to_vec(),
            direction: site.direction,
        });
        &mut self.changes[index]
    }
}
