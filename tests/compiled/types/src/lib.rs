//! Existing types that the tests use in place of schemas.

mod celsius;
pub mod german_time;
pub mod german_weekday;
mod money;
mod point;
pub mod seconds;

pub use celsius::Celsius;
pub use money::{InvalidMoney, Money};
pub use point::Point;
