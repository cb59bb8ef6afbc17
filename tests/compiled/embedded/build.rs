//! Generates the modules `server` and `client` from a part of the description with every feature.

use codegen::{Generator, Selection, build};

fn main() -> Result<(), build::Failure> {
    let tags = ["formats", "moments", "own_forms", "own_types", "streams"].map(str::to_owned).into();
    let generator = Generator::new().include(Selection { tags, ..Selection::default() });
    build::server("../../fixtures/everything.yaml", "crate::server", &generator)?;
    build::client("../../fixtures/everything.yaml", "crate::client", &generator)
}
