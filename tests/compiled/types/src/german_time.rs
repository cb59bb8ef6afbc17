//! A moment as Germans write it, in UTC: `02.01.2026 03:04:05`

use chrono::{DateTime, NaiveDateTime, ParseError, Utc};

const FORM: &str = "%d.%m.%Y %H:%M:%S";

/// The text of a moment.
pub fn to_text(moment: &DateTime<Utc>) -> String {
    moment.format(FORM).to_string()
}

/// The moment of a text.
///
/// # Errors
/// The text is no day and time of day.
pub fn from_text(text: &str) -> Result<DateTime<Utc>, ParseError> {
    NaiveDateTime::parse_from_str(text, FORM).map(|moment| moment.and_utc())
}
