//! Generates the modules `server` and `client` from the description.

use codegen::{Options, build};

fn main() -> Result<(), build::Failure> {
    build::server("orders.yaml", "crate::server", &Options::default())?;
    build::client("orders.yaml", "crate::client", &Options::default())
}
