//! Generates the modules `server` and `client` from a part of the description with every feature.

use codegen::{Options, Selection, build};

fn main() -> Result<(), build::Failure> {
    let tags = ["formats", "own_types", "streams"].map(str::to_owned).into();
    let options = Options { include: Selection { tags, ..Selection::default() }, ..Options::default() };
    build::server("../../fixtures/everything.yaml", "crate::server", &options)?;
    build::client("../../fixtures/everything.yaml", "crate::client", &options)
}
