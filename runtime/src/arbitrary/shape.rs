//! What a value of a type looks like in JSON.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr};

use jiff::civil::{Date, DateTime, Time};
use jiff::{SpanFieldwise, Timestamp};

use crate::json::{self, Base64, Maybe, Presence, Read, Value};
use crate::rule::Rule;

/// A type whose values can be made.
pub trait Shaped {
    /// What its values look like.
    fn shape() -> Shape;
}

/// What a value looks like.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Any JSON.
    Any,
    /// `true` or `false`
    Boolean,
    /// A whole number in the range of the type.
    Whole(i128, i128),
    /// A number.
    Number,
    /// A number in a string.
    NumberText,
    /// A string.
    Text,
    /// A string in a format that the type has, whatever the rules say.
    Formatted(&'static str),
    /// One of some strings.
    Texts(&'static [&'static str]),
    /// One of some numbers.
    Numbers(&'static [i128]),
    /// `null`, or another value.
    Nullable(fn() -> Shape),
    /// An array.
    List(fn() -> Shape),
    /// An array with a type for each position.
    Tuple(&'static [fn() -> Shape]),
    /// A position of a tuple for which there may be no item.
    OptionalItem(fn() -> Shape),
    /// The items after the other positions of a tuple.
    FurtherItems(fn() -> Shape),
    /// An object with values of one type.
    Map(fn() -> Shape),
    /// An object with named members.
    Object(&'static Object),
    /// One of several types.
    Union(&'static Union),
    /// A type of another crate; the function says whether it can be read.
    Foreign(fn(&[u8]) -> bool),
}

/// An object with named members.
#[derive(Debug)]
pub struct Object {
    /// The members that are read.
    pub members: &'static [Member],
    /// Other members; `None`: there are none.
    pub others: Option<Others>,
    /// Whether unknown members are refused.
    pub closed: bool,
    /// Rules of the whole object.
    pub rules: &'static [Rule<'static>],
    /// Whether a document is such an object.
    pub reads: fn(&[u8]) -> bool,
}

/// A member of an object.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Whether it is required, and what `null` means.
    pub presence: Presence,
    /// Its value.
    pub shape: fn() -> Shape,
    /// The rules of its value.
    pub rules: &'static [Rule<'static>],
}

/// The members that no other member names.
#[derive(Debug)]
pub struct Others {
    /// Their values.
    pub shape: fn() -> Shape,
    /// The rules of a map.
    pub rules: &'static [Rule<'static>],
}

/// One of several types.
#[derive(Debug)]
pub struct Union {
    /// The types.
    pub variants: &'static [Variant],
    /// The member that has the tag.
    pub discriminator: Option<&'static str>,
    /// Whether a document is such a value.
    pub reads: fn(&[u8]) -> bool,
}

/// One type of a union.
#[derive(Debug)]
pub struct Variant {
    /// The values of the discriminator.
    pub tags: &'static [&'static str],
    /// Its value.
    pub shape: fn() -> Shape,
    /// The rules of its value.
    pub rules: &'static [Rule<'static>],
}

/// Whether a document is a `T`.
pub fn reads<T: Read>(document: &[u8]) -> bool {
    json::from_slice_both_ways::<T>(document).is_ok()
}

macro_rules! shaped {
    ($($type:ty => $shape:expr,)*) => {$(
        impl Shaped for $type {
            fn shape() -> Shape {
                $shape
            }
        }
    )*};
}

shaped! {
    Value => Shape::Any,
    json::Number => Shape::Number,
    bool => Shape::Boolean,
    f32 => Shape::Number,
    f64 => Shape::Number,
    String => Shape::Text,
    Timestamp => Shape::Formatted("date-time"),
    Date => Shape::Formatted("date"),
    Time => Shape::Formatted("time"),
    DateTime => Shape::Formatted("date-time-local"),
    SpanFieldwise => Shape::Formatted("duration"),
    Ipv4Addr => Shape::Formatted("ipv4"),
    Ipv6Addr => Shape::Formatted("ipv6"),
    Base64 => Shape::Formatted("byte"),
}

macro_rules! whole {
    ($($type:ty)*) => {
        shaped! { $($type => Shape::Whole(i128::from(<$type>::MIN), i128::from(<$type>::MAX)),)* }
    };
}

whole!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<T: Shaped> Shaped for Option<T> {
    fn shape() -> Shape {
        Shape::Nullable(T::shape)
    }
}

impl<T: Shaped> Shaped for Maybe<T> {
    fn shape() -> Shape {
        Shape::Nullable(T::shape)
    }
}

impl<T: Shaped> Shaped for Box<T> {
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    fn shape() -> Shape {
        Shape::List(T::shape)
    }
}

impl<T: Shaped> Shaped for BTreeMap<String, T> {
    fn shape() -> Shape {
        Shape::Map(T::shape)
    }
}

#[cfg(feature = "tuple")]
macro_rules! tuple {
    ($(($($name:ident),+))*) => {$(
        impl<$($name: Shaped),+> Shaped for ($($name,)+) {
            fn shape() -> Shape {
                Shape::Tuple(const { &[$($name::shape),+] })
            }
        }
    )*};
}

#[cfg(feature = "tuple")]
tuple! {
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
}

#[cfg(feature = "tuple")]
impl<T: Shaped> Shaped for json::OptionalItem<T> {
    fn shape() -> Shape {
        Shape::OptionalItem(T::shape)
    }
}

#[cfg(feature = "tuple")]
impl<T: Shaped> Shaped for json::FurtherItems<T> {
    fn shape() -> Shape {
        Shape::FurtherItems(T::shape)
    }
}

#[cfg(feature = "uuid")]
shaped! { uuid::Uuid => Shape::Formatted("uuid"), }

#[cfg(feature = "decimal")]
shaped! {
    rust_decimal::Decimal => Shape::NumberText,
    crate::decimal::DecimalNumber => Shape::Number,
}

#[cfg(feature = "chrono")]
shaped! {
    chrono::DateTime<chrono::FixedOffset> => Shape::Formatted("date-time"),
    chrono::DateTime<chrono::Utc> => Shape::Formatted("date-time"),
    chrono::NaiveDateTime => Shape::Formatted("date-time-local"),
    chrono::NaiveDate => Shape::Formatted("date"),
    chrono::NaiveTime => Shape::Formatted("time"),
}

#[cfg(feature = "time")]
shaped! {
    time::OffsetDateTime => Shape::Formatted("date-time"),
    time::UtcDateTime => Shape::Formatted("date-time"),
    time::PrimitiveDateTime => Shape::Formatted("date-time-local"),
    time::Date => Shape::Formatted("date"),
    time::Time => Shape::Formatted("time"),
}

macro_rules! foreign {
    ($([$($bounds:tt)*] $type:ty,)*) => {$(
        impl<$($bounds)*> Shaped for $type
        where
            Self: Read,
        {
            fn shape() -> Shape {
                Shape::Foreign(reads::<Self>)
            }
        }
    )*};
}

foreign! {
    [T, F] crate::with::Text<T, F>,
    [T, F] crate::with::Number<T, F>,
    [T] crate::wrapped::Text<T>,
    [T] crate::wrapped::Number<T>,
}

#[cfg(feature = "foreign-json")]
foreign! { [T] crate::wrapped::Json<T>, }
