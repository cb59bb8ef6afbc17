//! Operations as tools of the Model Context Protocol, on top of a client.
//!
//! A generated crate has a table of [`Tool`]s and the schemas of their arguments; [`serve`] does the rest.

mod catalog;
mod handler;
mod options;
mod outline;
mod paging;
mod result;
mod serve;
mod tool;

pub use options::Options;
pub use serve::{Server, serve};
pub use tool::{Tier, Tool};
