//! Turns an OpenAPI description into a server crate and a client crate, all in memory.

mod diagnostic;
mod emit;
pub mod ir;
mod load;
mod location;
mod render;
mod upgrade;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity, Style};
pub use load::Files;
pub use location::Location;
pub use render::File;
