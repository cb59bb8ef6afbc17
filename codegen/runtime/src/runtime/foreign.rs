//! Types of other crates that are read and written as one text: `FromStr` and `Display` say how.

use std::fmt::Display;
use std::str::FromStr;

use crate::runtime::json::{Number, Reader, Writer, from_slice_strict};
use crate::runtime::text::{Refusal, quoted};

/// Reads the whole of `text`.
pub fn from_text<T: FromStr<Err: Display>>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|error| Refusal { code: "format", detail: format!("is {}: {error}", quoted(text)) })
}

/// Reads a number, as it is written.
pub fn read_number<T: FromStr<Err: Display>>(json: &mut Reader<'_>) -> Option<T> {
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
    if from_slice_strict::<Number>(text.as_bytes()).is_ok() {
        json.raw(text.trim());
    } else {
        json.string(&text);
    }
}
