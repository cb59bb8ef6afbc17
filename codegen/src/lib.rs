//! Turns an OpenAPI description into a server crate and a client crate, all in memory.

mod diagnostic;
pub mod ir;
mod location;
mod upgrade;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use location::Location;
