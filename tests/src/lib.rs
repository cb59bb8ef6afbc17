//! Tests across the crates.

pub mod description;
