//! Wrappers for types of other crates, which generated code cannot implement this crate's traits for.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use crate::foreign;
#[cfg(feature = "foreign-json")]
use crate::foreign_json;
use crate::json::{Read, Reader, Write, Writer};
#[cfg(feature = "rule")]
use crate::rule::Check;
use crate::text::{FromText, Refusal, ToText};

/// A value that is a string in JSON, read by `FromStr` and written by `Display`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<T>(pub T);

/// A value that is a number in JSON, read by `FromStr` and written by `Display`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number<T>(pub T);

/// A value that serde reads and writes.
#[cfg(feature = "foreign-json")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Json<T>(pub T);

impl<T: FromStr<Err: Display>> FromText for Text<T> {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        foreign::from_text(text).map(Self)
    }
}

impl<T: Display> ToText for Text<T> {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.0.to_string())
    }
}

impl<T: FromStr<Err: Display>> Read for Text<T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        json.parse()
    }
}

impl<T: Display> Write for Text<T> {
    fn write(&self, json: &mut Writer) {
        json.text(self);
    }
}

impl<T: FromStr<Err: Display> + Display> FromText for Number<T> {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        foreign::number_from_text(text).map(Self)
    }
}

impl<T: Display> ToText for Number<T> {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.0.to_string())
    }
}

impl<T: FromStr<Err: Display> + Display> Read for Number<T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        foreign::read_number(json).map(Self)
    }
}

impl<T: Display> Write for Number<T> {
    fn write(&self, json: &mut Writer) {
        foreign::write_number(&self.0, json);
    }
}

#[cfg(feature = "foreign-json")]
impl<T: serde::de::DeserializeOwned> Read for Json<T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        foreign_json::read(json).map(Self)
    }
}

#[cfg(feature = "foreign-json")]
impl<T: serde::Serialize> Write for Json<T> {
    fn write(&self, json: &mut Writer) {
        foreign_json::write(&self.0, json);
    }
}

macro_rules! wrapper {
    ($wrapper:ident) => {
        #[cfg(feature = "rule")]
        impl<T> Check for $wrapper<T> {}

        impl<T> From<T> for $wrapper<T> {
            fn from(value: T) -> Self {
                Self(value)
            }
        }

        impl<T> Deref for $wrapper<T> {
            type Target = T;

            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T> DerefMut for $wrapper<T> {
            fn deref_mut(&mut self) -> &mut T {
                &mut self.0
            }
        }

        impl<T: Display> Display for $wrapper<T> {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }
    };
}

wrapper!(Text);
wrapper!(Number);
#[cfg(feature = "foreign-json")]
wrapper!(Json);
