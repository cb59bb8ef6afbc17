//! A timestamp in German format, in UTC: `02.01.2026 03:04:05`

use chrono::{DateTime, NaiveDateTime, ParseError, Utc};

const FORM: &str = "%d.%m.%Y %H:%M:%S";

/// Formats a timestamp.
pub fn to_text(moment: &DateTime<Utc>) -> String {
    moment.format(FORM).to_string()
}

/// Parses a timestamp.
///
/// # Errors
/// The text is not in this format.
pub fn from_text(text: &str) -> Result<DateTime<Utc>, ParseError> {
    NaiveDateTime::parse_from_str(text, FORM).map(|moment| moment.and_utc())
}
