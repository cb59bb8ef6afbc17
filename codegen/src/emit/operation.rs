//! The types of an operation, the same in both crates.

pub(crate) mod content;
mod export;
pub(crate) mod multipart;
pub(crate) mod reading;
pub(crate) mod request;
pub(crate) mod response;

pub(crate) use export::exports;
