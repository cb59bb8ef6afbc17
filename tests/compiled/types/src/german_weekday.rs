//! A weekday in German: `Montag`

use chrono::Weekday;

const NAMES: [&str; 7] = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"];

/// Formats a weekday.
pub fn to_text(weekday: &Weekday) -> String {
    let name = NAMES.iter().cycle().nth(weekday.num_days_from_monday() as usize);
    name.map_or_else(String::new, |name| (*name).to_owned())
}

/// Parses a weekday.
///
/// # Errors
/// The text is not a weekday.
pub fn from_text(text: &str) -> Result<Weekday, &'static str> {
    let number = NAMES.iter().position(|name| *name == text).and_then(|number| u8::try_from(number).ok());
    number.and_then(|number| Weekday::try_from(number).ok()).ok_or("the week goes from `Montag` to `Sonntag`")
}
