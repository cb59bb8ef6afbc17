//! The command line of the generator.

mod command;

use std::process::ExitCode;

use clap::Parser;

/// Saves a quarter of the processor time compared with the system allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    command::run(command::CommandLine::parse())
}
