//! The dry run of a release: what a user gets from the archives alone.

use std::fs;
use std::iter;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The published crates, each after those that it depends on.
const CRATES: [&str; 5] =
    ["specwright-derive", "specwright-exchange", "specwright-runtime", "specwright", "specwright-macro"];

/// The folders of the generated crates.
const SIDES: [&str; 2] = ["pets-server", "pets-client"];

/// The folder of a crate with the macro.
const INLINE: &str = "pets-inline";

/// A description that uses a model, a rule and a parameter.
const DESCRIPTION: &str = r"openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: 'https://example.com' }]
tags: [{ name: pets }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [pets]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }]
      responses:
        '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
components:
  schemas:
    Pet: { type: object, required: [name], properties: { name: { type: string, maxLength: 80 } } }
";

/// Packages the crates, unpacks them in an empty folder, builds the command there, generates crates with it, and builds those.
pub(crate) fn dry_run(root: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let version = env!("CARGO_PKG_VERSION");
    let mut package = cargo(root, "package --no-verify --allow-dirty");
    run(package.args(CRATES.iter().flat_map(|name| ["--package", name])))?;
    for name in CRATES {
        let archive = root.join(format!("target/package/{name}-{version}.crate"));
        run(Command::new("tar").arg("-xzf").arg(archive).current_dir(folder.path()))?;
    }
    fs::write(folder.path().join("pets.yaml"), DESCRIPTION)?;
    fs::write(folder.path().join("Cargo.toml"), workspace(version, &[]))?;
    // Chooses the versions of dependencies that are tested here.
    fs::copy(root.join("Cargo.lock"), folder.path().join("Cargo.lock"))?;
    run(&mut cargo(folder.path(), "build --package specwright"))?;

    let command = folder.path().join("target/debug/specwright");
    let generate = ["generate", "pets.yaml", "--server", SIDES[0], "--client", SIDES[1]];
    run(Command::new(command).args(generate).current_dir(folder.path()))?;
    fs::write(folder.path().join("Cargo.toml"), workspace(version, &SIDES))?;
    for side in SIDES {
        let manifest = fs::read_to_string(folder.path().join(side).join("Cargo.toml"))?;
        let is_by_version = manifest.lines().any(|line| line.starts_with("specwright-runtime = { version = "));
        ensure!(is_by_version, "{side} does not depend on the published runtime:\n{manifest}");
        run(&mut cargo(&folder.path().join(side), "build"))?;
    }
    inline(&folder.path().join(INLINE), version)?;
    println!("the archives in target/package build, generate, and what they generate builds");
    Ok(())
}

/// Builds a crate whose client is made by the macro.
fn inline(folder: &Path, version: &str) -> Result<()> {
    let manifest = fs::read_to_string(folder.with_file_name(SIDES[1]).join("Cargo.toml"))?;
    let manifest = manifest.replace(SIDES[1], INLINE);
    fs::create_dir_all(folder.join("src"))?;
    fs::write(
        folder.join("Cargo.toml"),
        format!("{manifest}\n[dependencies.specwright-macro]\nversion = \"{version}\"\n"),
    )?;
    fs::write(folder.join("src/lib.rs"), "pub mod pets {\n    specwright_macro::client!(\"../pets.yaml\");\n}\n")?;
    let all = [SIDES[0], SIDES[1], INLINE];
    fs::write(folder.with_file_name("Cargo.toml"), workspace(version, &all))?;
    run(&mut cargo(folder, "build"))
}

/// A workspace of the command and of generated crates, which takes their runtime from its archive.
fn workspace(version: &str, generated: &[&str]) -> String {
    let command = format!("specwright-{version}");
    let members: Vec<_> = iter::once(command.as_str()).chain(generated.iter().copied()).collect();
    format!(
        r#"[workspace]
resolver = "3"
members = {members:?}

[patch.crates-io]
specwright = {{ path = "{command}" }}
specwright-derive = {{ path = "specwright-derive-{version}" }}
specwright-exchange = {{ path = "specwright-exchange-{version}" }}
specwright-macro = {{ path = "specwright-macro-{version}" }}
specwright-runtime = {{ path = "specwright-runtime-{version}" }}
"#
    )
}

fn cargo(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments.split(' ')).current_dir(folder).env_remove("CARGO_TARGET_DIR");
    command
}

/// Runs a command that has to succeed.
fn run(command: &mut Command) -> Result<()> {
    println!("$ {command:?}");
    let status = command.status().with_context(|| format!("{command:?} does not start"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}
