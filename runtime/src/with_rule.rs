//! Rules on values that functions of the user's read: there are none, but lists of them have some.

use super::rule::Check;
use super::with::{Number, Text};

impl<T, F> Check for Text<T, F> {}

impl<T, F> Check for Number<T, F> {}
