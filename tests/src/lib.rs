//! Tests across the crates.

pub mod description;
pub mod examples;
