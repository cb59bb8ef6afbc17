//! `Check` for values that functions of the user read: they have no rules, but lists of them do.

use super::rule::Check;
use super::with::{Number, Text};

impl<T, F> Check for Text<T, F> {}

impl<T, F> Check for Number<T, F> {}
