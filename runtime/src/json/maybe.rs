//! Absent, `null`, or a value.

use super::{Write, Writer};

/// A member that may be absent or `null`, with different meanings: in a change, an absent member is kept and
/// a `null` one is cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Maybe<T> {
    /// The member is absent.
    #[default]
    Absent,
    /// `null`
    Null,
    /// This value.
    Value(T),
}

impl<T> Maybe<T> {
    /// The value, or `null`. There is no `From<Option<T>>`: whether `None` clears a member or keeps it, the caller says.
    pub fn or_null(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }

    /// The value, or absent.
    pub fn or_absent(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }

    /// Whether it is absent.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// The value, if there is one.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Absent is the outer `None`, `null` the inner one.
    pub fn as_option(&self) -> Option<Option<&T>> {
        match self {
            Self::Absent => None,
            Self::Null => Some(None),
            Self::Value(value) => Some(Some(value)),
        }
    }

    /// The same with a reference to the value.
    pub fn as_ref(&self) -> Maybe<&T> {
        match self {
            Self::Absent => Maybe::Absent,
            Self::Null => Maybe::Null,
            Self::Value(value) => Maybe::Value(value),
        }
    }

    /// The value, dereferenced.
    pub fn as_deref(&self) -> Option<&T::Target>
    where
        T: std::ops::Deref,
    {
        self.value().map(|value| &**value)
    }

    /// Maps the value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Maybe<U> {
        match self {
            Self::Absent => Maybe::Absent,
            Self::Null => Maybe::Null,
            Self::Value(value) => Maybe::Value(f(value)),
        }
    }

    /// The value, or `default`.
    pub fn unwrap_or(self, default: T) -> T {
        self.into_option().unwrap_or(default)
    }

    /// Applies this change to `current`: absent keeps it, `null` clears it, a value replaces it.
    pub fn apply_to(self, current: &mut Option<T>) {
        match self {
            Self::Absent => {}
            Self::Null => *current = None,
            Self::Value(value) => *current = Some(value),
        }
    }
}

impl<T: Write> Write for Maybe<T> {
    fn write(&self, json: &mut Writer) {
        self.as_ref().into_option().write(json);
    }

    fn write_member(&self, name: &'static str, json: &mut Writer) {
        json.maybe(name, self);
    }
}

impl<T> From<T> for Maybe<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Maybe;

    #[test]
    fn none_is_null_or_absent_as_the_caller_says() {
        assert_eq!((Maybe::or_null(Some(1)), Maybe::or_null(None::<i32>)), (Maybe::Value(1), Maybe::Null));
        assert_eq!((Maybe::or_absent(Some(1)), Maybe::or_absent(None::<i32>)), (Maybe::Value(1), Maybe::Absent));
    }
}
