//! Checks the members of objects and maps.

use std::collections::BTreeMap;

use super::check::{check_text, count, note};
use super::{Check, Rule};
use crate::violation::{Notes, Step};

/// Checks the number of members, and conditions on them; `has` says whether a member is present.
pub(crate) fn check_members(size: usize, has: &dyn Fn(&str) -> bool, rules: &[Rule<'_>], at: &mut Notes) -> bool {
    let size = size as u64;
    let mut kept = true;
    for rule in rules {
        let broken = match rule {
            Rule::MinProperties(least) => {
                (size < *least).then(|| ("minProperties", format!("has {}, at least {least}", count(size, "member"))))
            }
            Rule::MaxProperties(most) => {
                (size > *most).then(|| ("maxProperties", format!("has {}, at most {most}", count(size, "member"))))
            }
            Rule::Together(condition) => {
                (!condition.holds(has)).then(|| (condition.keyword(), format!("has to have {condition}")))
            }
            _ => None,
        };
        kept &= note(broken, at);
    }
    kept
}

/// Checks a member of a map by its name and value; violations are noted at the member.
pub(super) fn check_entry<T: Check>(name: &str, value: &T, rules: &[Rule<'_>], at: &mut Notes) -> bool {
    let mut kept = true;
    for rule in rules {
        kept &= match rule {
            Rule::Names(rules) => check_text(name, rules, at),
            Rule::Values(rules) => value.check(rules, at),
            Rule::Matching(pattern, rules) => !pattern.is_match(name) || value.check(rules, at),
            _ => true,
        };
    }
    kept
}

impl<T: Check> Check for BTreeMap<String, T> {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        let mut kept = check_members(self.len(), &|name| self.contains_key(name), rules, at);
        for (name, value) in self {
            at.enter(Step::Key(name.clone()));
            kept &= check_entry(name, value, rules, at);
            at.leave();
        }
        kept
    }
}
