//! JSON, read and written without an intermediate data model.

mod choice;
mod collection;
mod cursor;
mod entries;
mod escape;
mod feature;
mod maybe;
mod members;
mod moment;
mod number;
mod object;
mod primitive;
mod reader;
mod skip;
mod slot;
#[cfg(feature = "tuple")]
mod tuple;
#[cfg(feature = "tuple")]
mod tuple_item;
#[cfg(feature = "union")]
mod union;
mod unwritable;
mod value;
mod value_text;
mod writer;

pub use crate::text::Base64;
use crate::violation::{Location, Violation, Violations};
pub use entries::Entries;
#[doc(hidden)]
pub use feature::{with_arbitrary, with_both_ways, with_rule, with_serde};
pub use maybe::Maybe;
pub(crate) use members::Seen;
pub use members::{Members, Presence};
pub use number::Number;
#[cfg(feature = "xml")]
pub(crate) use reader::DEPTH;
pub use reader::{Kind, Reader};
pub use slot::{Constant, Others, Slot};
pub use specwright_derive::Json;
#[cfg(feature = "tuple")]
pub use tuple_item::{FurtherItems, OptionalItem};
pub use unwritable::{Reason, Unwritable};
pub use value::Value;
pub use writer::Writer;

/// Can be read from JSON.
pub trait Read: Sized {
    /// Reads one value. `None`: at least one violation was noted; the reader is after the value.
    fn read(json: &mut Reader<'_>) -> Option<Self>;

    /// The value for a position of a tuple after the end of an array; `None`: every array has an item there.
    #[doc(hidden)]
    fn missing_item() -> Option<Self> {
        None
    }

    /// Reads an item after the last position of a tuple into `last`, the value of that position; `false`: there are no
    /// such items. If it cannot be read, `last` becomes `None`.
    #[doc(hidden)]
    fn read_further_item(last: &mut Option<Self>, json: &mut Reader<'_>) -> bool {
        let _ = last;
        json.skip();
        false
    }
}

/// Can be written as JSON.
pub trait Write {
    /// Writes one value.
    fn write(&self, json: &mut Writer);

    /// Writes a member with this value, unless the value is absent.
    fn write_member(&self, name: &'static str, json: &mut Writer) {
        json.name(name);
        self.write(json);
    }

    /// Whether the array may end before this position of a tuple, which has no item.
    #[doc(hidden)]
    fn is_missing_item(&self) -> bool {
        false
    }

    /// Writes the item of this position of a tuple, or all further ones.
    #[doc(hidden)]
    fn write_items(&self, json: &mut Writer) {
        json.item(self);
    }
}

/// Reads a document tolerantly: rules are not checked, of duplicate members the last one wins, and a lone surrogate
/// becomes `U+FFFD`.
pub fn from_slice<T: Read>(bytes: &[u8]) -> Result<T, Violations> {
    let read = read_document(Reader::tolerant(bytes), T::read);
    match read {
        Err(violations) => match escape::without_lone_surrogates(bytes) {
            Some(mended) => read_document(Reader::tolerant(&mended), T::read),
            None => Err(violations),
        },
        read => read,
    }
}

/// Reads a document, checks the rules of its models, and refuses duplicate members.
pub fn from_slice_strict<T: Read>(bytes: &[u8]) -> Result<T, Violations> {
    read_document(Reader::strict(bytes), T::read)
}

/// Reads a document that may be written for a request or a response: members required only in requests may be
/// missing.
pub fn from_slice_both_ways<T: Read>(bytes: &[u8]) -> Result<T, Violations> {
    read_document(Reader::both_ways(bytes), T::read)
}

/// Checks a value by reading what it is written as: the rules of the description, and whether JSON can represent it.
pub fn check<T: Read + Write>(value: &T) -> Result<(), Violations> {
    let bytes = try_to_vec(value).map_err(|Unwritable { pointer, reason }| {
        let code = match reason {
            Reason::Number => "type",
            Reason::Repeated => "duplicate",
        };
        let detail = reason.text().to_owned();
        Violations::from(vec![Violation { location: Location::Body, pointer, code, detail }])
    })?;
    from_slice_both_ways::<T>(&bytes).map(drop)
}

/// Reads the document of `json` with `read`.
pub fn read_document<T>(
    mut json: Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
) -> Result<T, Violations> {
    let value = read(&mut json);
    json.finish(value)
}

/// Serializes `value`; numbers that JSON cannot represent become `null`.
pub fn to_vec<T: Write + ?Sized>(value: &T) -> Vec<u8> {
    let mut json = Writer::new();
    value.write(&mut json);
    json.into_bytes()
}

/// Serializes `value`, or fails if JSON cannot represent it.
pub fn try_to_vec<T: Write + ?Sized>(value: &T) -> Result<Vec<u8>, Unwritable> {
    let mut json = Writer::new();
    value.write(&mut json);
    json.finish()
}
