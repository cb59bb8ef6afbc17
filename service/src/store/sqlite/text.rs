//! Values that are stored as JSON text.

use serde::{Serialize, de::DeserializeOwned};

use crate::store::Error;

/// Reads a value that [`write`] has written.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::Damaged(format!("the store holds no proper JSON: {error}")))
}

/// The value as text.
pub(super) fn write<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(Error::database)
}
