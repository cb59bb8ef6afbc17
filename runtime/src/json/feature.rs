//! Items of derived code that depend on a feature of this crate.

/// Items that need the feature `rule`.
#[cfg(feature = "rule")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_rule {
    ($($item:tt)*) => { $($item)* };
}
/// Items that need the feature `rule`.
#[cfg(not(feature = "rule"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_rule {
    ($($item:tt)*) => {};
}
#[doc(hidden)]
pub use with_rule;

/// Items that need the feature `serde`.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_serde {
    ($($item:tt)*) => { $($item)* };
}
/// Items that need the feature `serde`.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_serde {
    ($($item:tt)*) => {};
}
#[doc(hidden)]
pub use with_serde;
