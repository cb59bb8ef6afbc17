//! A length of time as a number: `90`

use std::num::ParseIntError;
use std::time::Duration;

/// The text of a length.
pub fn to_text(length: &Duration) -> String {
    length.as_secs().to_string()
}

/// The length of a text.
///
/// # Errors
/// The text is no whole number.
pub fn from_text(text: &str) -> Result<Duration, ParseIntError> {
    text.parse().map(Duration::from_secs)
}
