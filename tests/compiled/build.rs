//! Generates the crate around this build script.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use specwright::{CrateFolder, Features, Generator, Owned, Runtime, Side, Source, Style};

fn main() -> Result<(), Box<dyn Error>> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let package_name = env::var("CARGO_PKG_NAME")?;
    let (folder, entry, side, features) = match package_name.as_str() {
        "compiled-server" => ("tests/fixtures", "everything.yaml", Side::Server, Features { per_tag: true }),
        "compiled-client" | "compiled-mcp" | "compiled-cli" => {
            ("tests/fixtures", "everything.yaml", Side::Client, Features { per_tag: true })
        }
        "runtime-server" => ("runtime/tests", "server.yaml", Side::Server, Features::default()),
        "runtime-client" => ("runtime/tests", "client.yaml", Side::Client, Features::default()),
        name => return Err(format!("{name} has no description").into()),
    };
    let root = package.join("../../..");
    // Cargo runs this again when a file that was read changes.
    let read = |path: &str| {
        let path = root.join(folder).join(path);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read(path)
    };
    let source = Source::files(&read, entry);
    let generated = Generator::new()
        .name(package_name.split('-').next().unwrap_or_default())
        .sides([side])
        .features(features)
        .marker(format!("@generated from {folder}/{entry}."))
        // `Cargo.toml` has the real path.
        .runtime(Runtime::Path("../../../runtime".to_owned()))
        .mcp("../client")
        .cli("../client")
        .generate(&source)
        .map_err(|found| found.render(&source, Style::Plain))?;
    let (files, root) = match package_name.as_str() {
        "compiled-mcp" => (generated.mcp.files, "src/main.rs"),
        "compiled-cli" => (generated.cli.files, "src/main.rs"),
        _ => (generated.server.files.into_iter().chain(generated.client.files).collect(), "src/lib.rs"),
    };
    CrateFolder::new(&out, files).owned(Owned::Below("src".to_owned())).write()?;
    if package_name == "compiled-server" {
        fs::write(out.join("every_model.rs"), every_model(&fs::read_to_string(out.join("src/models.rs"))?))?;
    }
    head(&out, &package, root)
}

/// A macro that passes the names of all models to another macro, from the `pub use` lines of their list.
fn every_model(list: &str) -> String {
    let exported = list.split("pub use ").skip(1).filter_map(|line| line.split(';').next());
    let names = exported.flat_map(|line| line.split([',', '{', '}'])).filter_map(|name| name.rsplit_once("::"));
    let names: Vec<&str> = names.map(|(_, name)| name.trim()).collect();
    format!(
        "#[macro_export]\nmacro_rules! every_model {{ ($then:ident) => {{ $then! {{ {} }} }}; }}\n",
        names.join(" ")
    )
}

/// Moves what an included file cannot start with out of the generated root: documentation goes to
/// `lib.md`, attributes must be in our own file.
fn head(out: &Path, package: &Path, root: &str) -> Result<(), Box<dyn Error>> {
    let (path, ours) = (out.join(root), package.join(root));
    println!("cargo::rerun-if-changed={}", ours.display());
    let (text, ours) = (fs::read_to_string(&path)?, fs::read_to_string(ours)?);
    let (mut documentation, mut attributes, mut rest) = (String::new(), String::new(), String::new());
    for line in text.split_inclusive('\n') {
        let is_in_attribute = !attributes.is_empty() && !attributes.trim_end().ends_with(']');
        if let Some(line) = line.strip_prefix("//!") {
            documentation.push_str(line.strip_prefix(' ').unwrap_or(line));
        } else if line.starts_with("#!") || is_in_attribute {
            attributes.push_str(line);
        } else {
            rest.push_str(line);
        }
    }
    // The files have different layouts.
    let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
    if !without_spaces(&ours).contains(&without_spaces(&attributes)) {
        return Err(format!("{root} lacks what the generated one begins with: {attributes}").into());
    }
    fs::write(out.join("lib.md"), documentation)?;
    fs::write(path, rest)?;
    Ok(())
}
