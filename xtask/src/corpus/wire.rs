//! Sends random values through the client of a document into its server and back.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use specwright::{Diagnostics, File, Generator, Source};
use wire_program::Proof as Program;

use super::check::Workspace;
use super::document::Document;
use super::generate::{self, package};
use super::row::{Proof, Row};

/// Writes the two crates and the program of a document.
pub(super) fn write_crates(generator: &Generator, source: &Source<'_>, output: &Path, document: &str) -> Result<()> {
    let described = |diagnostics: Diagnostics| anyhow::anyhow!("{} diagnostics", diagnostics.iter().count());
    let Program { server, client, mut program } = wire_program::proof(generator, source).map_err(described)?;
    program.push(File { path: "Cargo.toml".to_owned(), text: manifest(document) });
    for (side, files) in [("wire-server", server), ("wire-client", client), ("wire", program)] {
        generate::write(&output.join(package(document, side)), files)?;
    }
    Ok(())
}

/// The manifest of the program in `target/corpus`, with the dependencies of the generated crates' types.
fn manifest(document: &str) -> String {
    let name = package(document, "wire");
    let sides = ["server", "client"].map(|side| package(document, &format!("wire-{side}")));
    let sides = sides.map(|side| format!("{side} = {{ path = \"../{side}\" }}\n")).concat();
    format!(
        r#"[package]
name = "{name}"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
bytes = "1"
jiff = {{ version = "0.2", default-features = false, features = ["std"] }}
rust_decimal = {{ version = "1", default-features = false, features = ["std"] }}
tokio = {{ version = "1", features = ["macros", "rt-multi-thread", "sync"] }}
uuid = "1"
wire = {{ path = "../../../tests/wire" }}
{sides}"#
    )
}

/// Generates, builds and runs the program of a document, and records the number of passed operations in its
/// row.
pub(super) fn prove(
    workspace: &mut Workspace,
    program: &Path,
    document: &Document,
    arguments: &super::Arguments,
    row: &mut Row,
) -> Result<()> {
    let output = workspace.folder().to_owned();
    let report = output.join(format!("{}.wire.txt", document.name));
    let mut fail = |what: &str, why: &[u8]| -> Result<()> {
        row.wire = Some(Proof { all: row.operations, ..Proof::default() });
        row.reason = format!("the program of the proof {what}");
        Ok(fs::write(&report, why)?)
    };

    let generated = Command::new(program)
        .args(["corpus-one", &document.name])
        .args([document.folder.as_os_str(), document.entry.as_ref(), output.as_os_str()])
        .args(["--wire", "--runtime", &arguments.runtime])
        .stdin(Stdio::null())
        .output()?;
    if !generated.status.success() {
        return fail("is not generated", &generated.stderr);
    }

    workspace.add(&["wire-server", "wire-client", "wire"].map(|side| package(&document.name, side)))?;
    let (name, target) = (package(&document.name, "wire"), output.join("target"));
    let built = Command::new("cargo")
        .args(["build", "--offline", "--quiet", "--package", &name])
        .current_dir(&output)
        .env("CARGO_TARGET_DIR", &target)
        .stdin(Stdio::null())
        .output()
        .context("cannot run cargo")?;
    if !built.status.success() {
        return fail("does not compile", &built.stderr);
    }

    let ran = Command::new(target.join("debug").join(&name))
        .args([document.folder.as_os_str(), document.entry.as_ref(), report.as_os_str()])
        .args(["--samples", &arguments.samples.to_string()])
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let Some(wire) = text.lines().last().and_then(|line| serde_json::from_str::<Proof>(line).ok()) else {
        return fail("broke off", &ran.stderr);
    };
    row.reason = wire.causes();
    row.wire = Some(wire);
    Ok(())
}
