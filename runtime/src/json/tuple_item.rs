//! Items that an array may have or lack for a tuple.

use std::ops::{Deref, DerefMut};

use super::{Read, Reader, Write, Writer};

/// An item of a tuple that may be missing, like all that follow it.
///
/// If it is `None` and a later item is not, `null` is written in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OptionalItem<T>(pub Option<T>);

/// The items after those of a tuple that have a type of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FurtherItems<T>(pub Vec<T>);

impl<T> From<T> for OptionalItem<T> {
    fn from(item: T) -> Self {
        Self(Some(item))
    }
}

impl<T> From<Vec<T>> for FurtherItems<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

impl<T: Read> Read for OptionalItem<T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        T::read(json).map(Self::from)
    }

    fn missing_item() -> Option<Self> {
        Some(Self(None))
    }
}

impl<T: Write> Write for OptionalItem<T> {
    fn write(&self, json: &mut Writer) {
        self.0.write(json);
    }

    fn is_missing_item(&self) -> bool {
        self.0.is_none()
    }
}

impl<T: Read> Read for FurtherItems<T> {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        T::read(json).map(|first| Self(vec![first]))
    }

    fn missing_item() -> Option<Self> {
        Some(Self(Vec::new()))
    }

    fn read_further_item(last: &mut Option<Self>, json: &mut Reader<'_>) -> bool {
        match (T::read(json), &mut *last) {
            (Some(item), Some(items)) => items.0.push(item),
            _ => *last = None,
        }
        true
    }
}

impl<T: Write> Write for FurtherItems<T> {
    fn write(&self, json: &mut Writer) {
        self.0.write(json);
    }

    fn is_missing_item(&self) -> bool {
        self.0.is_empty()
    }

    fn write_items(&self, json: &mut Writer) {
        self.0.iter().for_each(|item| json.item(item));
    }
}

macro_rules! deref {
    ($wrapper:ident, $target:ty) => {
        impl<T> Deref for $wrapper<T> {
            type Target = $target;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl<T> DerefMut for $wrapper<T> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.0
            }
        }
    };
}

deref!(OptionalItem, Option<T>);
deref!(FurtherItems, Vec<T>);
