//! Types of other crates that are read and written as JSON: serde says how.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json::{Reader, Writer};

/// Reads one value; what serde finds wrong with it is one violation.
pub fn read<T: DeserializeOwned>(json: &mut Reader<'_>) -> Option<T> {
    match serde_json::from_slice(json.value_bytes()?) {
        Ok(value) => Some(value),
        Err(error) => {
            json.note("type", format!("cannot be read: {error}"));
            None
        }
    }
}

/// Writes one value; `null` when serde finds that JSON cannot hold it.
pub fn write<T: Serialize + ?Sized>(value: &T, json: &mut Writer) {
    match serde_json::to_string(value) {
        Ok(text) => json.raw(&text),
        Err(_) => json.null(),
    }
}
