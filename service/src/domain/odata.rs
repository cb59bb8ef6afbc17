//! The OData query options `$filter` and `$orderby`, in the subset of agent operations.

mod lexer;
mod parser;

pub use super::list::{Error, SortKey};
pub use parser::{filter, order_by};

/// A field of filters and orders, with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the interface, case-insensitive.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// Text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A date and time, compared as microseconds.
    DateTime,
}

/// A condition; fields are indices into the list given to [`filter`].
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Both hold.
    And(Box<Filter>, Box<Filter>),
    /// At least one holds.
    Or(Box<Filter>, Box<Filter>),
    /// It does not hold.
    Not(Box<Filter>),
    /// `Field eq literal`
    Compare(usize, Comparison, Literal),
    /// `startswith(Field,'text')`, in any letter case
    Text(TextFunction, usize, String),
}

/// The comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `eq`
    Equal,
    /// `ne`
    NotEqual,
    /// `gt`
    Greater,
    /// `ge`
    GreaterOrEqual,
    /// `lt`
    Less,
    /// `le`
    LessOrEqual,
}

/// The functions on text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFunction {
    /// `substringof('text', Field)`, also `contains(Field,'text')`
    Contains,
    /// `startswith(Field,'text')`
    StartsWith,
    /// `endswith(Field,'text')`
    EndsWith,
}

/// A constant in a filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `7`, `121747357971679M`
    Integer(i64),
    /// `'text'`
    Text(String),
    /// `true`
    Boolean(bool),
    /// `2026-01-31T10:00:00Z`, also in quotes or as `datetime'…'`
    DateTime(jiff::Timestamp),
}

/// Literals of Rust's types.
macro_rules! literals {
    ($($ty:ty: $variant:ident;)+) => {
        $(impl From<$ty> for Literal {
            fn from(value: $ty) -> Self {
                Self::$variant(value.into())
            }
        })+
    };
}

literals! {
    i32: Integer;
    String: Text;
    bool: Boolean;
}
