//! Names in Rust.

use std::fmt;

/// A name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident(String);

impl Ident {
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A name made of others, as `format!` makes text.
#[macro_export]
macro_rules! format_ident {
    ($($part:tt)*) => {
        $crate::Ident::new(format!($($part)*))
    };
}
