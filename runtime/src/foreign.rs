//! Types of other crates that are one text, by `FromStr` and `Display`.

use std::fmt::Display;
use std::str::FromStr;

use crate::json::{Number, Reader, Writer, from_slice_strict};
use crate::text::{Refusal, quoted};

/// Parses the whole of `text`.
pub fn from_text<T: FromStr<Err: Display>>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|error| refusal(text, &error))
}

/// The violation for a text that the type does not accept.
pub fn refusal(text: &str, error: &dyn Display) -> Refusal {
    Refusal { code: "format", detail: format!("is {}: {error}", quoted(text)) }
}

/// Parses the whole of `text` as a number; a result that would display as infinite does not fit.
pub fn number_from_text<T: FromStr<Err: Display> + Display>(text: &str) -> Result<T, Refusal> {
    let number: T = from_text(text)?;
    let shown = number.to_string();
    // A number that merely exceeds `f64` is displayed in digits.
    if shown.parse().is_ok_and(|near: f64| !near.is_finite()) && !is_number(&shown) {
        return Err(Refusal { code: "format", detail: format!("is {}, beyond the range of the type", quoted(text)) });
    }
    Ok(number)
}

/// Reads a number from its exact text.
pub fn read_number<T: FromStr<Err: Display> + Display>(json: &mut Reader<'_>) -> Option<T> {
    read_number_with(json, number_from_text)
}

/// Reads a number from its exact text with another function than `FromStr`.
pub fn read_number_with<T>(json: &mut Reader<'_>, from_text: fn(&str) -> Result<T, Refusal>) -> Option<T> {
    match from_text(json.number_text()?) {
        Ok(number) => Some(number),
        Err(refusal) => {
            json.note(refusal.code, refusal.detail);
            None
        }
    }
}

/// Writes a number; if it does not display as a JSON number, it is written as a string, so the document stays
/// valid.
pub fn write_number(number: &dyn Display, json: &mut Writer) {
    let text = number.to_string();
    if is_number(&text) {
        json.raw(text.trim());
    } else {
        json.string(&text);
    }
}

fn is_number(text: &str) -> bool {
    from_slice_strict::<Number>(text.as_bytes()).is_ok()
}
