//! `Cargo.toml`.

use std::fmt::Write as _;

use super::dependency::{self, Dependency, Used};
use crate::emit::{Side, WEBHOOKS};
use crate::ir::Api;
use crate::render::File;

/// The edition that generated code is written in.
const EDITION: &str = "2024";
/// The oldest compiler that generated code is tested with.
const RUST_VERSION: &str = "1.94";

/// The text of the file.
pub(super) fn manifest(api: &Api, crate_name: &str, about: &str, side: Side, files: &[File], marker: &str) -> String {
    let name = crate_name.replace('_', "-");
    let mut text = format!("# {marker}\n\n[package]\n");
    for (key, value) in [
        ("name", name.as_str()),
        ("description", about),
        ("version", "0.1.0"),
        ("edition", EDITION),
        ("rust-version", RUST_VERSION),
    ] {
        let _ = writeln!(text, "{key} = {}", string(value));
    }
    text.push_str("publish = false\n");
    let used = dependency::used(api, side, files);
    if !api.webhooks.is_empty() {
        let optional = used.iter().filter(|used| used.is_optional);
        let names: Vec<_> = optional.map(|used| format!("dep:{}", used.dependency.name)).collect();
        let _ = write!(text, "\n[features]\n{WEBHOOKS} = {names:?}\n");
    }
    text.push_str("\n[dependencies]\n");
    for used in used {
        text.push_str(&line(&used));
    }
    text
}

/// A line below `[dependencies]`.
pub(super) fn line(Used { dependency, is_optional }: &Used) -> String {
    let Dependency { name, version, bare, features } = dependency;
    if !bare && !is_optional && features.is_empty() {
        return format!("{name} = \"{version}\"\n");
    }
    let mut text = format!("{name} = {{ version = \"{version}\"");
    if *bare {
        text.push_str(", default-features = false");
    }
    if !features.is_empty() {
        let _ = write!(text, ", features = {features:?}");
    }
    if *is_optional {
        text.push_str(", optional = true");
    }
    text.push_str(" }\n");
    text
}

/// A string of TOML; `text` has no control characters.
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edition_and_compiler_are_those_of_the_workspace() {
        let workspace = include_str!("../../../Cargo.toml");
        assert!(workspace.contains(&format!("edition = \"{EDITION}\"\n")));
        assert!(workspace.contains(&format!("rust-version = \"{RUST_VERSION}\"\n")));
    }

    #[test]
    fn only_what_is_used_is_a_dependency() {
        let file = |text: &str| File { path: "src/lib.rs".to_owned(), text: text.to_owned() };
        let files = [file("use jiter::Jiter;\nuse bytes::Bytes;\n"), file("tokio::time::sleep(axum::x)\n")];
        let yaml = "openapi: 3.0.3\ninfo: { title: Pets, version: '1' }\npaths: {}\n";
        let read = crate::read(&|_: &str| Ok(yaml.into()), "pets.yaml", &crate::Options::default());
        let (api, _) = read.expect("it is a description");
        let text = manifest(&api, "pet_client", r#"The "pet" \ side."#, Side::Client, &files, "@generated");
        assert_eq!(
            text,
            r#"# @generated

[package]
name = "pet-client"
description = "The \"pet\" \\ side."
version = "0.1.0"
edition = "2024"
rust-version = "1.94"
publish = false

[dependencies]
bytes = "1"
jiter = { version = "0.18", default-features = false }
tokio = { version = "1", features = ["fs", "io-util", "sync", "time"] }
"#
        );
    }
}
