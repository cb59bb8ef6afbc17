//! Rules for UUIDs: a pattern applies to the text.

use super::rule::{Check, Rule, check_text};
use crate::text::ToText;
use crate::violation::Notes;

impl Check for uuid::Uuid {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        rules.is_empty() || check_text(&self.to_text(), rules, at)
    }
}
