//! The commands of the description that has every feature.

#[path = "../../../../../generated-cli/tests/cli/program.rs"]
mod program;
mod requests;
mod responses;

const PROGRAM: &str = env!("CARGO_BIN_EXE_compiled-cli");
