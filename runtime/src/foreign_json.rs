//! Types of other crates that are JSON, by serde.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json::{Reader, Writer};

/// Reads one value; an error of serde is one violation.
pub fn read<T: DeserializeOwned>(json: &mut Reader<'_>) -> Option<T> {
    match serde_json::from_slice(json.value_bytes()?) {
        Ok(value) => Some(value),
        Err(error) => {
            json.note("type", format!("cannot be read: {error}"));
            None
        }
    }
}

/// Writes one value; `null` if serde fails.
pub fn write<T: Serialize + ?Sized>(value: &T, json: &mut Writer) {
    match serde_json::to_string(value) {
        Ok(text) => json.raw(&text),
        Err(_) => json.null(),
    }
}
