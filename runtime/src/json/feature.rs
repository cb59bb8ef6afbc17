//! Items of derived code that are there with a feature of this crate only.

/// Items that are there with the feature `rule` only.
#[cfg(feature = "rule")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_rule {
    ($($item:tt)*) => { $($item)* };
}
/// Items that are there with the feature `rule` only.
#[cfg(not(feature = "rule"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_rule {
    ($($item:tt)*) => {};
}
#[doc(hidden)]
pub use with_rule;

/// Items that are there with the feature `serde` only.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_serde {
    ($($item:tt)*) => { $($item)* };
}
/// Items that are there with the feature `serde` only.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_serde {
    ($($item:tt)*) => {};
}
#[doc(hidden)]
pub use with_serde;
