//! Policies: how kinds of problems are treated.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use serde::Deserialize;

use super::{Code, Diagnostics, Severity};
use crate::UnknownCode;

/// How a kind of problem is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// It stops the generation.
    Deny,
    /// It is repaired and reported.
    Warn,
    /// It is repaired silently.
    Allow,
    /// The affected operations are left out with a warning. A problem that belongs to no operation stops the
    /// generation.
    Skip,
}

/// Policies by code; without one, a problem has the severity of its code. An empty selection is denied by
/// default.
#[derive(Clone, Debug)]
pub struct Policies {
    by_code: BTreeMap<Code, Policy>,
}

impl Default for Policies {
    fn default() -> Self {
        Self { by_code: BTreeMap::from([(Code::NothingSelected, Policy::Deny)]) }
    }
}

/// Errors cannot be repaired, so they cannot be `warn` or `allow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRepair(Code);

impl fmt::Display for NoRepair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` has no repair to go on with; it can be `deny` or `skip`", self.0.name())
    }
}

impl Error for NoRepair {}

impl Policies {
    /// Sets the policy of a code, replacing an earlier one.
    pub fn set(&mut self, code: Code, policy: Policy) -> Result<(), NoRepair> {
        if code.severity() == Severity::Error && matches!(policy, Policy::Warn | Policy::Allow) {
            return Err(NoRepair(code));
        }
        self.by_code.insert(code, policy);
        Ok(())
    }

    /// Sets the policy of all codes with this severity, except the empty selection. The warning about skipped
    /// operations cannot itself be skipped.
    pub fn set_all(&mut self, severity: Severity, policy: Policy) -> Result<(), NoRepair> {
        Code::all()
            .filter(|code| code.severity() == severity && *code != Code::NothingSelected)
            .filter(|code| (*code, policy) != (Code::Skipped, Policy::Skip))
            .try_for_each(|code| self.set(code, policy))
    }

    /// Sets policies by the names or numbers of kinds; `errors` and `warnings` mean all others. A single kind overrides them.
    pub fn decide<'a>(&mut self, decisions: impl IntoIterator<Item = (&'a str, Policy)>) -> Result<(), String> {
        let mut decided = BTreeMap::new();
        for (name, policy) in decisions {
            let before = decided.insert(kind(name)?, policy);
            if before.is_some_and(|before| before != policy) {
                return Err(format!("`{name}` is decided about twice, and not alike"));
            }
        }
        for (kind, policy) in decided {
            let result = match kind {
                Kind::All(severity) => self.set_all(severity, policy),
                Kind::One(code) => self.set(code, policy),
            };
            result.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Gives every problem its severity, and removes allowed ones.
    pub(crate) fn apply(&self, diagnostics: &mut Diagnostics) {
        diagnostics.list.retain(|found| self.by_code.get(&found.code) != Some(&Policy::Allow));
        for diagnostic in &mut diagnostics.list {
            if let Some(Policy::Deny | Policy::Skip) = self.by_code.get(&diagnostic.code) {
                diagnostic.severity = Severity::Error;
            }
        }
    }

    /// Whether any code is skipped.
    pub(crate) fn may_skip(&self) -> bool {
        self.by_code.values().any(|policy| *policy == Policy::Skip)
    }

    /// Whether operations with such a problem are left out.
    pub(crate) fn skips(&self, code: Code) -> bool {
        self.by_code.get(&code) == Some(&Policy::Skip)
    }
}

/// What a policy applies to. Whole severities sort first, so that a single code overrides them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    All(Severity),
    One(Code),
}

fn kind(name: &str) -> Result<Kind, String> {
    match name {
        "errors" => Ok(Kind::All(Severity::Error)),
        "warnings" => Ok(Kind::All(Severity::Warning)),
        name => name.parse().map(Kind::One).map_err(|error: UnknownCode| error.to_string()),
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
    fn skipped_operations_are_warnings() {
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
    fn errors_without_a_repair_stay_errors() {
        let mut policies = Policies::default();
        for policy in [Policy::Warn, Policy::Allow] {
            assert_eq!(policies.set(Code::MissingField, policy), Err(NoRepair(Code::MissingField)));
        }
        assert!(!policies.may_skip());
        policies.set(Code::MissingField, Policy::Skip).unwrap();
        assert!(policies.may_skip() && policies.skips(Code::MissingField) && !policies.skips(Code::WrongType));
    }
}
