//! Compiles generated crates with warnings denied, all in one workspace with one target folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::row::{Outcome, Row};

/// The workspace that the generated crates are members of.
pub(super) struct Workspace {
    folder: PathBuf,
    /// The crates that are complete; those that are being written must not be looked at.
    members: BTreeSet<String>,
    /// `[workspace.dependencies]`
    dependencies: String,
}

/// What the manifest of the workspace says beside its members and their dependencies.
const MANIFEST: &str =
    "[workspace.lints.rust]\nwarnings = \"deny\"\n\n[profile.dev]\ndebug = false\nincremental = false\n";

impl Workspace {
    /// Prepares it; the versions of other crates are those of this repository.
    pub(super) fn new(root: &Path, folder: &Path) -> Result<Self> {
        let lock = folder.join("Cargo.lock");
        if !lock.exists() {
            fs::copy(root.join("Cargo.lock"), lock)?;
        }
        for side in ["server", "client"] {
            let text = fs::read_to_string(root.join("tests/compiled").join(side).join("Cargo.toml"))?;
            fs::write(folder.join(format!("{side}.toml")), text)?;
        }
        let mut members = BTreeSet::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.path().join("Cargo.toml").exists() {
                members.insert(entry.file_name().to_string_lossy().into_owned());
            }
        }
        Ok(Self { folder: folder.to_owned(), members, dependencies: dependencies(root)? })
    }

    /// Compiles the two crates of a document, and says in its row what came of it.
    pub(super) fn check(&mut self, row: &mut Row) -> Result<()> {
        let names = ["server", "client"].map(|side| format!("{}-{side}", row.document));
        for (name, side) in names.iter().zip(["server", "client"]) {
            self.write_manifest(name, side)?;
            self.members.insert(name.clone());
        }
        let members = format!("[workspace]\nresolver = \"3\"\nmembers = {:?}\n\n", self.members);
        let members = members.replace('{', "[").replace('}', "]");
        fs::write(self.folder.join("Cargo.toml"), format!("{members}{MANIFEST}\n{}", self.dependencies))?;
        let begin = Instant::now();
        let output = Command::new("cargo")
            .args(["check", "--offline", "--quiet", "--keep-going", "--message-format", "json"])
            .args(names.iter().flat_map(|name| ["--package", name]))
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .stdin(Stdio::null())
            .output()
            .context("cannot run cargo")?;
        row.check_seconds = Some(begin.elapsed().as_secs_f64());
        let messages = messages(&output.stdout);
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

    fn write_manifest(&self, name: &str, side: &str) -> Result<()> {
        let text = fs::read_to_string(self.folder.join(format!("{side}.toml")))?;
        let dependencies = text.split_once("[dependencies]").context("the manifest has dependencies")?.1;
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lints]\nworkspace = true\n\n[dependencies]{dependencies}"
        );
        let path = self.folder.join(name).join("Cargo.toml");
        if fs::read_to_string(&path).ok().as_deref() != Some(&manifest) {
            fs::write(path, manifest)?;
        }
        Ok(())
    }
}

/// The shared dependencies of this repository.
fn dependencies(root: &Path) -> Result<String> {
    let text = fs::read_to_string(root.join("Cargo.toml"))?;
    let start = text.find("[workspace.dependencies]").context("the workspace has dependencies")?;
    let end = text[start..].find("\n[profile").map_or(text.len(), |end| start + end);
    Ok(text[start..end].lines().filter(|line| !line.contains("path =")).collect::<Vec<_>>().join("\n"))
}

/// What the compiler said, as it would show it.
fn messages(output: &[u8]) -> Vec<String> {
    let lines = output.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    lines.filter_map(|line| line.pointer("/message/rendered")?.as_str().map(str::to_owned)).collect()
}
