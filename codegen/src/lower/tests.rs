//! Tests of `lower` as a whole, and what the tests of its modules share.

mod cases;
mod docs;
pub(crate) mod lowered;
