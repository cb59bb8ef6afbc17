//! Generates the modules `server` and `client` from the description.

use codegen::{Generator, Runtime, build};

fn main() -> Result<(), build::Failure> {
    // Both depend on one crate for what is no part of the description; without this line each has a copy of it.
    let generator = Generator::new().runtime(Runtime::Path("../../runtime".to_owned()));
    build::server("orders.yaml", "crate::server", &generator)?;
    build::client("orders.yaml", "crate::client", &generator)
}
