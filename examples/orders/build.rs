//! Generates the modules `server` and `client` from the description.

use specwright::{Generator, Runtime, build};

fn main() -> Result<(), build::Failure> {
    // Both sides depend on the runtime of this repository.
    let generator = Generator::new().runtime(Runtime::Path("../../runtime".to_owned()));
    build::server("orders.yaml", "crate::server", &generator)?;
    build::client("orders.yaml", "crate::client", &generator)
}
