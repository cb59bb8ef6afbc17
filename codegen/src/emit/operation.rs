//! The types of an operation, the same in both crates.

pub(crate) mod content;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod style;
