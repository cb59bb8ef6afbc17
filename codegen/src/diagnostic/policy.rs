//! What somebody decides about kinds of problems.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use serde::Deserialize;

use super::{Code, Diagnostics, Severity};

/// What is done about a kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// It stops the generation.
    Deny,
    /// It is repaired and said.
    Warn,
    /// It is repaired without a word.
    Allow,
    /// The operations that have it are left out, and that is said. Where it belongs to none, it stops the generation.
    Skip,
}

/// The decisions; a problem that nobody has decided about is as severe as its code says. Only that nothing is selected is
/// denied from the start.
#[derive(Clone, Debug)]
pub struct Policies {
    by_code: BTreeMap<Code, Policy>,
}

impl Default for Policies {
    fn default() -> Self {
        Self { by_code: BTreeMap::from([(Code::NothingSelected, Policy::Deny)]) }
    }
}

/// An error has no repair, so that it can be neither `warn` nor `allow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRepair(Code);

impl fmt::Display for NoRepair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` has no repair to go on with; it can be `deny` or `skip`", self.0.name())
    }
}

impl Error for NoRepair {}

impl Policies {
    /// Decides about a kind of problem; what was decided earlier no longer counts.
    pub fn set(&mut self, code: Code, policy: Policy) -> Result<(), NoRepair> {
        if code.severity() == Severity::Error && matches!(policy, Policy::Warn | Policy::Allow) {
            return Err(NoRepair(code));
        }
        self.by_code.insert(code, policy);
        Ok(())
    }

    /// Decides about all kinds of problems that are as severe as that by themselves, except that nothing is selected. That
    /// something is skipped is none for which more could be.
    pub fn set_all(&mut self, severity: Severity, policy: Policy) -> Result<(), NoRepair> {
        Code::all()
            .filter(|code| code.severity() == severity && *code != Code::NothingSelected)
            .filter(|code| (*code, policy) != (Code::Skipped, Policy::Skip))
            .try_for_each(|code| self.set(code, policy))
    }

    /// Makes every problem as severe as it was decided, and removes what is allowed.
    pub(crate) fn apply(&self, diagnostics: &mut Diagnostics) {
        diagnostics.list.retain(|found| self.by_code.get(&found.code) != Some(&Policy::Allow));
        for diagnostic in &mut diagnostics.list {
            if let Some(Policy::Deny | Policy::Skip) = self.by_code.get(&diagnostic.code) {
                diagnostic.severity = Severity::Error;
            }
        }
    }

    /// Something may be left out.
    pub(crate) fn may_skip(&self) -> bool {
        self.by_code.values().any(|policy| *policy == Policy::Skip)
    }

    /// An operation with such a problem is left out.
    pub(crate) fn skips(&self, code: Code) -> bool {
        self.by_code.get(&code) == Some(&Policy::Skip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::Location;

    #[test]
    fn decisions_replace_the_severity_of_the_code() {
        let mut policies = Policies::default();
        policies.set_all(Severity::Warning, Policy::Deny).unwrap();
        policies.set(Code::NoSuccess, Policy::Allow).unwrap();
        policies.set(Code::NotUsed, Policy::Warn).unwrap();
        let mut diagnostics = Diagnostics::default();
        for code in [Code::NoSuccess, Code::NotUsed, Code::Repaired, Code::MissingField] {
            diagnostics.report(code, &Location::root("a.yaml"), "");
        }
        policies.apply(&mut diagnostics);
        let left: Vec<_> = diagnostics.iter().map(|found| (found.code, found.severity)).collect();
        assert_eq!(
            left,
            [
                (Code::NotUsed, Severity::Warning),
                (Code::Repaired, Severity::Error),
                (Code::MissingField, Severity::Error)
            ]
        );
    }

    #[test]
    fn what_is_skipped_is_said_and_no_error() {
        let mut policies = Policies::default();
        policies.set_all(Severity::Warning, Policy::Skip).unwrap();
        let mut diagnostics = Diagnostics::default();
        for code in [Code::NoSuccess, Code::Skipped] {
            diagnostics.report(code, &Location::root("a.yaml"), "");
        }
        policies.apply(&mut diagnostics);
        assert_eq!(diagnostics.errors().map(|error| error.code).collect::<Vec<_>>(), [Code::NoSuccess]);
    }

    #[test]
    fn what_has_no_repair_stays_an_error() {
        let mut policies = Policies::default();
        for policy in [Policy::Warn, Policy::Allow] {
            assert_eq!(policies.set(Code::MissingField, policy), Err(NoRepair(Code::MissingField)));
        }
        assert!(!policies.may_skip());
        policies.set(Code::MissingField, Policy::Skip).unwrap();
        assert!(policies.may_skip() && policies.skips(Code::MissingField) && !policies.skips(Code::WrongType));
    }
}
