//! Compiles generated crates in one workspace with one target folder; a warning counts as a failure.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::generate::package;
use super::row::{Outcome, Row};

/// The workspace that the generated crates are members of.
pub(super) struct Workspace {
    folder: PathBuf,
    /// The complete crates of this run; cargo must not see crates that are still being written.
    members: BTreeSet<String>,
}

/// The workspace manifest except for its members. The wire proof uses other crates.
const MANIFEST: &str =
    "[profile.dev]\ndebug = false\nincremental = false\n\n[profile.dev.package.\"*\"]\nopt-level = 1\n";

impl Workspace {
    /// Creates the workspace; dependency versions are those of this repository.
    pub(super) fn new(root: &Path, folder: &Path) -> Result<Self> {
        let lock = folder.join("Cargo.lock");
        if !lock.exists() {
            fs::copy(root.join("Cargo.lock"), lock)?;
        }
        Ok(Self { folder: folder.to_owned(), members: BTreeSet::new() })
    }

    /// Compiles the two crates of a document, with and without features, and records the result in its row.
    pub(super) fn check(&mut self, row: &mut Row) -> Result<()> {
        let names = ["server", "client"].map(|side| package(&row.document, side));
        self.add(&names)?;
        let begin = Instant::now();
        let mut output = self.compile(&names, &[])?;
        let mut messages = messages(&output.stdout);
        let has_features = |name: &String| {
            let manifest = fs::read_to_string(self.folder.join(name).join("Cargo.toml"));
            manifest.is_ok_and(|text| text.contains("[features]"))
        };
        if output.status.success() && messages.is_empty() && names.iter().any(has_features) {
            output = self.compile(&names, &["--all-features"])?;
            messages = self::messages(&output.stdout);
        }
        row.check_seconds = Some(begin.elapsed().as_secs_f64());
        let everything = format!("{}\n{}", messages.join("\n"), String::from_utf8_lossy(&output.stderr));
        fs::write(self.folder.join(format!("{}.check.txt", row.document)), &everything)?;
        if output.status.success() && messages.is_empty() {
            row.outcome = Outcome::Compiled;
            row.reason.clear();
        } else {
            row.outcome = Outcome::Uncompiled;
            everything.trim().clone_into(&mut row.reason);
            row.reason.truncate(row.reason.floor_char_boundary(400));
        }
        Ok(())
    }

    /// Adds complete crates as members.
    pub(super) fn add(&mut self, names: &[String]) -> Result<()> {
        self.members.extend(names.iter().cloned());
        let members = format!(
            "[workspace]
resolver = \"3\"
members = {:?}

",
            self.members
        );
        let members = members.replace('{', "[").replace('}', "]");
        fs::write(self.folder.join("Cargo.toml"), members + MANIFEST)?;
        Ok(())
    }

    /// The folder of the crates.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs `cargo check` on some crates.
    fn compile(&self, names: &[String], features: &[&str]) -> Result<Output> {
        Command::new("cargo")
            .args(["check", "--offline", "--quiet", "--keep-going", "--message-format", "json"])
            .args(features)
            .args(names.iter().flat_map(|name| ["--package", name]))
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .stdin(Stdio::null())
            .output()
            .context("cannot run cargo")
    }
}

/// The compiler's rendered messages.
fn messages(output: &[u8]) -> Vec<String> {
    let lines = output.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    lines.filter_map(|line| line.pointer("/message/rendered")?.as_str().map(str::to_owned)).collect()
}
