//! The command line of the generator; with it, files are read and written.

mod command;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    command::run(command::CommandLine::parse())
}
