//! Generates the modules `server` and `client` from the description.

use codegen::{Options, Runtime, build};

fn main() -> Result<(), build::Failure> {
    // Both depend on one crate for what is no part of the description; without this line each has a copy of it.
    let runtime = Runtime::Path("../../runtime".to_owned());
    let options = Options { runtime, ..Options::default() };
    build::server("orders.yaml", "crate::server", &options)?;
    build::client("orders.yaml", "crate::client", &options)
}
