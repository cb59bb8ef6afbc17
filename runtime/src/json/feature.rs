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

/// Items that need the feature `arbitrary`.
#[cfg(feature = "arbitrary")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_arbitrary {
    ($($item:tt)*) => { $($item)* };
}
/// Items that need the feature `arbitrary`.
#[cfg(not(feature = "arbitrary"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_arbitrary {
    ($($item:tt)*) => {};
}
#[doc(hidden)]
pub use with_arbitrary;

/// Items that need the feature `arbitrary` or `serde`: the other direction of a model.
#[cfg(any(feature = "arbitrary", feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_both_ways {
    ($($item:tt)*) => { $($item)* };
}
/// Items that need the feature `arbitrary` or `serde`: the other direction of a model.
#[cfg(not(any(feature = "arbitrary", feature = "serde")))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_both_ways {
    ($($item:tt)*) => {};
}
#[doc(hidden)]
pub use with_both_ways;

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
