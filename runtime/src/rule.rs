//! Constraints beyond types; the server checks them.

mod check;
mod exact_number;
mod format;
mod linear_pattern;
#[cfg(feature = "object-parameter")]
mod member;
mod members_together;
mod object;
mod parameter;
mod pattern;
mod read;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "tuple")]
mod tuple;
mod value;

use super::json::Kind;

pub use specwright_derive::rules;

pub use check::{Check, check_items, check_number, check_text};
pub use exact_number::Numeric;
pub use format::Format;
pub use members_together::Together;
#[cfg(all(feature = "multipart-read", feature = "server"))]
pub(crate) use object::check_members;
pub use parameter::text_checked;
pub use pattern::Pattern;
pub use read::{Checked, read_checked};
#[cfg(feature = "schema")]
pub use schema::Schema;
#[cfg(all(feature = "multipart-read", feature = "server", feature = "schema"))]
pub(crate) use schema::check_schemas;
#[cfg(all(any(feature = "arbitrary", all(feature = "multipart-read", feature = "server")), feature = "schema"))]
pub(crate) use schema::has_schema;
#[cfg(all(feature = "arbitrary", feature = "schema"))]
pub(crate) use schema::keeps_schemas;

/// One constraint.
#[derive(Clone, Copy, Debug)]
pub enum Rule<'a> {
    /// `minimum`
    Minimum(Bound),
    /// `maximum`
    Maximum(Bound),
    /// `minimum` with `exclusiveMinimum: true`
    ExclusiveMinimum(Bound),
    /// `maximum` with `exclusiveMaximum: true`
    ExclusiveMaximum(Bound),
    /// `multipleOf`
    MultipleOf(Bound),
    /// `minLength`, in Unicode scalar values
    MinLength(u64),
    /// `maxLength`, in Unicode scalar values
    MaxLength(u64),
    /// `pattern`
    Pattern(&'a Pattern),
    /// `format` of a string that stays a string
    Format(Format),
    /// `enum` of names, which are texts
    OneOf(&'a [&'a str]),
    /// `enum` of numbers
    Numbers(&'a [Bound]),
    /// `enum` with one boolean
    Boolean(bool),
    /// `enum` with arrays or objects, possibly among other values; their JSON texts
    Listed(&'a [&'a str]),
    /// `type` of a value whose Rust type allows any
    Kind(Kind),
    /// `minItems`
    MinItems(u64),
    /// `maxItems`
    MaxItems(u64),
    /// `uniqueItems: true`
    UniqueItems,
    /// `minProperties`
    MinProperties(u64),
    /// `maxProperties`
    MaxProperties(u64),
    /// Conditions on which members are present.
    Together(Together<'a>),
    /// Rules for each item of an array, or each further item of a tuple.
    Items(&'a [Rule<'a>]),
    /// Rules for the items of a tuple, by position.
    Places(&'a [&'a [Rule<'a>]]),
    /// Rules for each name of a map.
    Names(&'a [Rule<'a>]),
    /// Rules for each value of a map.
    Values(&'a [Rule<'a>]),
    /// Rules for the values of a map whose names match.
    Matching(&'a Pattern, &'a [Rule<'a>]),
    /// Keywords that no other rule expresses, such as `if` and `contains`; checked in JSON.
    #[cfg(feature = "schema")]
    Schema(&'a Schema),
}

/// A number of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// An integer.
    Integer(i128),
    /// The text of any other number, such as `0.01`.
    Decimal(&'static str),
}
