//! Values stored as JSON text.

use generated_server::runtime::json;
use serde::{Serialize, de::DeserializeOwned};

use crate::store::Error;

/// Reads a value written by [`write`].
pub(in crate::store) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::Damaged(format!("the store holds no proper JSON: {error}")))
}

/// The value as text.
pub(in crate::store) fn write<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(Error::database)
}

/// A record of the interface as JSON.
pub(in crate::store) fn json(record: &(impl json::Write + ?Sized)) -> String {
    String::from_utf8_lossy(&json::to_vec(record)).into_owned()
}
