//! Types that somebody has already, and puts in place of schemas.

mod celsius;
mod money;
mod point;

pub use celsius::Celsius;
pub use money::{InvalidMoney, Money};
pub use point::Point;
