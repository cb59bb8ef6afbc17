//! Requests from JSON values by name, as tools of language models and command lines are given them.
//!
//! A generated crate has a table of [`Arguments`] and `arguments.json` with their schemas.

pub(crate) mod answer;
mod request;
pub(crate) mod schema;
mod table;

pub(crate) use request::Files;
#[cfg(feature = "cli")]
pub(crate) use table::PartKind;
pub(crate) use table::Place;
pub use table::{Arguments, Body, BodyKind, Parameter, Part, TextForm};
