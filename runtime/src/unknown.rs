//! Values that the description did not have when the client was generated.

/// A value of an enum that this crate does not know. It can be read and passed on, but not created.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unknown<T>(T);

impl<T> Unknown<T> {
    // Only models call it, and there may be none with the enabled features.
    #[doc(hidden)]
    pub fn of(value: impl Into<T>) -> Self {
        Self(value.into())
    }
}

impl<T: Copy> Unknown<T> {
    /// The value on the wire.
    pub fn get(&self) -> T {
        self.0
    }
}

impl Unknown<String> {
    /// The value on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
