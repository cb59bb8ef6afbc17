//! A number: a temperature.

use std::fmt;
use std::num::ParseFloatError;
use std::str::FromStr;

/// Degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Celsius(pub f64);

impl FromStr for Celsius {
    type Err = ParseFloatError;

    fn from_str(text: &str) -> Result<Self, ParseFloatError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for Celsius {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
