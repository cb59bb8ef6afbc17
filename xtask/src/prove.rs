//! Builds the service and its proofs, and runs these.

use std::path::Path;
use std::process::{Command, ExitCode};

use clap::Args;

/// Options of `prove`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The proofs to run; all by default.
    names: Vec<String>,
    /// The short form, which takes seconds and uses the development build.
    #[arg(long)]
    short: bool,
    /// The store of the service: `sqlite` or `postgres`.
    #[arg(long, default_value = "sqlite")]
    store: String,
    /// Treats a proof that this machine cannot run as failed.
    #[arg(long)]
    require: bool,
    /// Lists the proofs.
    #[arg(long)]
    list: bool,
}

/// Runs the proofs: short ones against the development build, long ones against the release build.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> ExitCode {
    let is_release = !arguments.short && !arguments.list;
    let mut build = Command::new("cargo");
    build.args(["build", "--quiet", "--package", "service", "--package", "prove"]).current_dir(root);
    if is_release {
        build.arg("--release");
    }
    if !build.status().is_ok_and(|status| status.success()) {
        eprintln!("error: the service or its proofs could not be built");
        return ExitCode::FAILURE;
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let program = target.join(if is_release { "release" } else { "debug" }).join("prove");
    let mut prove = Command::new(program.with_extension(std::env::consts::EXE_EXTENSION));
    prove.args(&arguments.names).args(["--store", &arguments.store]).current_dir(root);
    if arguments.short {
        prove.arg("--short");
    }
    if arguments.require {
        prove.arg("--require");
    }
    if arguments.list {
        prove.arg("--list");
    }
    match prove.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("error: the proofs do not start: {error}");
            ExitCode::FAILURE
        }
    }
}
