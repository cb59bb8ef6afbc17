//! Rules on decimal numbers.

use rust_decimal::Decimal;

use super::decimal::DecimalNumber;
use super::rule::{Check, Numeric, Rule, check_number};
use super::violation::Notes;

impl Check for Decimal {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        check_number(Numeric::Decimal(&self.to_string()), rules, at)
    }
}

impl Check for DecimalNumber {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        self.0.check(rules, at)
    }
}
