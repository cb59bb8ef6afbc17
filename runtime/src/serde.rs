//! `serde::Serialize` and `serde::Deserialize` for models, built on the JSON reader and writer.

mod transcriber;
mod tree;
mod value;

use serde::de::Error as _;
use serde::ser::Error as _;
#[doc(hidden)]
pub use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::{Write, Writer, from_slice};
use crate::violation::Violations;
use transcriber::Transcriber;
use tree::Tree;

/// Implements the traits for a model, read by the function of this name in `json`.
#[doc(hidden)]
#[macro_export]
macro_rules! bridge {
    (Serialize for $model:ty) => {
        impl $crate::serde::Serialize for $model {
            /// Writes what this crate sends.
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::serde::serialize(self, serializer)
            }
        }
    };
    (Deserialize for $model:ty, $read:ident) => {
        impl<'de> $crate::serde::Deserialize<'de> for $model {
            /// Reads what this crate accepts; the error lists every violation.
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::serde::deserialize(deserializer, $crate::json::$read)
            }
        }
    };
    ($model:ty, $read:ident) => {
        $crate::serde::bridge!(Serialize for $model);
        $crate::serde::bridge!(Deserialize for $model, $read);
    };
}
#[doc(hidden)]
pub use bridge;

/// Passes the JSON of `value` to `serializer`.
pub fn serialize<S: Serializer>(value: &dyn Write, serializer: S) -> Result<S::Ok, S::Error> {
    let mut json = Writer::new();
    value.write(&mut json);
    // Some formats write lengths first, so build the whole tree.
    let tree: Tree = from_slice(&json.into_bytes()).map_err(S::Error::custom)?;
    tree.serialize(serializer)
}

/// Reads from a self-describing `deserializer`.
pub fn deserialize<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: fn(&[u8]) -> Result<T, Violations>,
) -> Result<T, D::Error> {
    let mut json = Writer::new();
    deserializer.deserialize_any(Transcriber(&mut json))?;
    read(&json.into_bytes()).map_err(D::Error::custom)
}
