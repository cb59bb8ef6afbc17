//! Turns an OpenAPI description into a server crate and a client crate, all in memory.

mod diagnostic;
pub mod ir;
mod load;
mod location;
mod upgrade;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use load::Files;
pub use location::Location;
