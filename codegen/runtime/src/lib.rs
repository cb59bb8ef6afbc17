//! The runtime of generated crates, compiled by itself to be tested.

pub mod runtime;
