//! Compiles generated crates, and reads the errors of the compiler.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use specwright::{CrateFolder, Generated, Generator, Runtime, Side};
use tempfile::TempDir;

use super::Failure;
use super::problem::Problem;

const WORKSPACE: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"client\", \"server\"]\n";

/// A workspace in a temporary folder, for the crates of every trial.
pub(super) struct Compiler {
    folder: TempDir,
    /// What cargo said last.
    said: RefCell<String>,
}

impl Compiler {
    pub(super) fn new() -> Result<Self, Failure> {
        // No other user can put settings of cargo into this folder.
        let folder = TempDir::with_prefix("specwright-report-").and_then(|folder| {
            fs::write(folder.path().join("Cargo.toml"), WORKSPACE)?;
            Ok(folder)
        });
        let folder = folder.map_err(|error| Failure::usage(format!("no temporary folder: {error}")))?;
        Ok(Self { folder, said: RefCell::default() })
    }

    /// The generator of the crates that are compiled.
    pub(super) fn prepare(generator: Generator) -> Generator {
        generator.sides([Side::Server, Side::Client]).runtime(Runtime::of_checkout().unwrap_or_default())
    }

    /// The errors of the compiler.
    pub(super) fn problems(&self, generated: Generated) -> Vec<Problem> {
        let crates = [("server", generated.server), ("client", generated.client)];
        for (name, files) in crates {
            if let Err(error) = CrateFolder::new(self.folder.path().join(name), files).write() {
                self.said.replace(error.to_string());
                return Vec::new();
            }
        }
        match check(self.folder.path()) {
            Ok(output) if output.status.success() => Vec::new(),
            Ok(output) => {
                self.said.replace(String::from_utf8_lossy(&output.stderr).into_owned());
                errors(&String::from_utf8_lossy(&output.stdout))
            }
            Err(error) => {
                self.said.replace(format!("cargo cannot be run: {error}"));
                Vec::new()
            }
        }
    }

    /// Why there are no errors of the compiler although cargo has failed.
    pub(super) fn explain_failure(&self) -> Option<Failure> {
        let said = self.said.borrow();
        (!said.is_empty()).then(|| Failure::usage(format!("the crates cannot be compiled: {}", said.trim_end())))
    }
}

fn check(folder: &Path) -> std::io::Result<Output> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let check = ["check", "--quiet", "--keep-going", "--message-format", "json"];
    Command::new(cargo).args(check).current_dir(folder).output()
}

/// The errors among the messages of cargo.
fn errors(messages: &str) -> Vec<Problem> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors = messages.filter_map(|line| {
        let message = &line["message"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (line["reason"] == "compiler-message" && message["level"] == "error").then(|| Problem::Compiler {
            code: text(&message["code"]["code"]),
            message: text(&message["message"]),
            text: text(&message["rendered"]),
        })
    });
    // Summaries, such as `aborting due to 2 errors`, have no place.
    errors
        .filter(|error| !matches!(error, Problem::Compiler { message, .. } if message.starts_with("aborting")))
        .collect()
}
