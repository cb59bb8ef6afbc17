//! XML, read and written as the JSON of the same value.
//!
//! A [`Root`] says where the members of the JSON stand in the document. Models have only a form in JSON, so their rules
//! hold for both.

mod document;
mod read;
mod table;
mod unwritable;
mod write;

pub use table::{Member, Name, Others, Root, Shape};
pub use unwritable::Unwritable;

use crate::json::{self, Read, Reader, Write};
use crate::violation::Violations;

/// Reads a document tolerantly: rules are not checked, and elements that are not described are skipped.
pub fn from_slice<T: Read>(root: Root, bytes: &[u8]) -> Result<T, Violations> {
    let json = read::to_json(root, bytes, false)?;
    json::read_document(Reader::tolerant(&json), T::read)
}

/// Reads a document, and checks the rules of its models.
pub fn from_slice_strict<T: Read>(root: Root, bytes: &[u8]) -> Result<T, Violations> {
    read_strict(root, bytes, T::read)
}

/// Reads a document with `read`, which sees it as JSON.
pub(crate) fn read_strict<T>(
    root: Root,
    bytes: &[u8],
    read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
) -> Result<T, Violations> {
    let json = read::to_json(root, bytes, true)?;
    json::read_document(Reader::strict(&json), read)
}

/// Serializes `value`, or fails if XML cannot represent it.
pub fn try_to_vec<T: Write + ?Sized>(root: Root, value: &T) -> Result<Vec<u8>, Unwritable> {
    let json = json::try_to_vec(value)?;
    write::from_json(root, &json)
}
