//! Types of other crates that are read and written as one text: `FromStr` and `Display` say how.

use std::fmt::Display;
use std::str::FromStr;

use crate::json::{Number, Reader, Writer, from_slice_strict};
use crate::text::{Refusal, quoted};

/// Reads the whole of `text`.
pub fn from_text<T: FromStr<Err: Display>>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|error| refusal(text, &error))
}

/// What is said of a text that is none of the type's.
pub fn refusal(text: &str, error: &dyn Display) -> Refusal {
    Refusal { code: "format", detail: format!("is {}: {error}", quoted(text)) }
}

/// Reads the whole of `text` as a number that the type can hold: what it would show as infinite does not fit.
pub fn number_from_text<T: FromStr<Err: Display> + Display>(text: &str) -> Result<T, Refusal> {
    let number: T = from_text(text)?;
    let shown = number.to_string();
    // What only an `f64` cannot hold is shown in digits.
    if shown.parse().is_ok_and(|near: f64| !near.is_finite()) && !is_number(&shown) {
        return Err(Refusal { code: "format", detail: format!("is {}, beyond the range of the type", quoted(text)) });
    }
    Ok(number)
}

/// Reads a number, as it is written.
pub fn read_number<T: FromStr<Err: Display> + Display>(json: &mut Reader<'_>) -> Option<T> {
    read_number_with(json, number_from_text)
}

/// Reads a number, as it is written, by another function than `FromStr` has.
pub fn read_number_with<T>(json: &mut Reader<'_>, from_text: fn(&str) -> Result<T, Refusal>) -> Option<T> {
    match from_text(json.number_text()?) {
        Ok(number) => Some(number),
        Err(refusal) => {
            json.note(refusal.code, refusal.detail);
            None
        }
    }
}

/// Writes a number; what does not display as one becomes a string, so that the document stays JSON.
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
