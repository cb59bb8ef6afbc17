//! A duration as a number: `90`

use std::num::ParseIntError;
use std::time::Duration;

/// Formats a duration.
pub fn to_text(length: &Duration) -> String {
    length.as_secs().to_string()
}

/// Parses a duration.
///
/// # Errors
/// The text is not an integer.
pub fn from_text(text: &str) -> Result<Duration, ParseIntError> {
    text.parse().map(Duration::from_secs)
}
