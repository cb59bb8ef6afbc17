//! Values read and written by functions of the user, because their types display differently or not at all.

use std::borrow::Cow;
use std::fmt::{self, Debug, Display, Formatter};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use crate::foreign;
use crate::json::{Read, Reader, Write, Writer};
use crate::text::{FromText, Refusal, ToText};

/// The two functions. Generated code implements it for a type that represents their module.
pub trait Form<T> {
    /// Formats a value.
    fn to_text(value: &T) -> String;

    /// Parses a text, or says what is wrong with it.
    fn from_text(text: &str) -> Result<T, impl Display>;
}

/// A value that is a string in JSON, read and written by the functions of `F`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<T, F>(pub T, PhantomData<F>);

/// A value that is a number in JSON, read and written by the functions of `F`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number<T, F>(pub T, PhantomData<F>);

impl<T, F: Form<T>> Read for Text<T, F> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        json.parse()
    }
}

impl<T, F: Form<T>> Write for Text<T, F> {
    fn write(&self, json: &mut Writer) {
        json.text(self);
    }
}

impl<T, F: Form<T>> Read for Number<T, F> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        foreign::read_number_with(json, Self::from_text)
    }
}

impl<T, F: Form<T>> Write for Number<T, F> {
    fn write(&self, json: &mut Writer) {
        foreign::write_number(self, json);
    }
}

macro_rules! wrapper {
    ($wrapper:ident) => {
        impl<T, F> $wrapper<T, F> {
            /// The value with the form.
            pub const fn new(value: T) -> Self {
                Self(value, PhantomData)
            }
        }

        impl<T, F: Form<T>> FromText for $wrapper<T, F> {
            fn from_text(text: &str) -> Result<Self, Refusal> {
                F::from_text(text).map(Self::new).map_err(|error| foreign::refusal(text, &error))
            }
        }

        impl<T, F: Form<T>> ToText for $wrapper<T, F> {
            fn to_text(&self) -> Cow<'_, str> {
                Cow::Owned(F::to_text(&self.0))
            }
        }

        impl<T, F: Form<T>> Display for $wrapper<T, F> {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                formatter.pad(&F::to_text(&self.0))
            }
        }

        impl<T: Debug, F> Debug for $wrapper<T, F> {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                formatter.debug_tuple(stringify!($wrapper)).field(&self.0).finish()
            }
        }

        impl<T, F> From<T> for $wrapper<T, F> {
            fn from(value: T) -> Self {
                Self::new(value)
            }
        }

        impl<T, F> Deref for $wrapper<T, F> {
            type Target = T;

            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T, F> DerefMut for $wrapper<T, F> {
            fn deref_mut(&mut self) -> &mut T {
                &mut self.0
            }
        }
    };
}

wrapper!(Text);
wrapper!(Number);
