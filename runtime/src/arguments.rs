//! Requests from JSON values by name, as tools of language models and command lines are given them.
//!
//! A generated crate has a table of [`Arguments`] and `arguments.json` with their schemas.

mod request;
pub(crate) mod schema;
mod table;

pub(crate) use request::Files;
pub(crate) use table::Place;
pub use table::{Arguments, Body, BodyKind, Parameter, Part};
