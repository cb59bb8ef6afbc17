//! `Cargo.toml`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::dependency::{self, Used};
use crate::dependencies::Dependency;
use crate::emit::{self, ARBITRARY, BLOCKING, CHECK_RESPONSES, RUNTIME, SERDE, SIGNATURES, Side, TRACING, WEBHOOKS};
use crate::ir::{self, Api};
use crate::render::File;
use crate::{Options, Runtime};

/// The edition of generated code.
const EDITION: &str = "2024";
/// The oldest compiler that tests run.
const RUST_VERSION: &str = "1.94";

/// The text of the file.
pub(super) fn manifest(
    api: &Api,
    crate_name: &str,
    about: &str,
    side: Side,
    files: &[File],
    marker: &str,
    runtime: &Runtime,
) -> String {
    let name = crate_name.replace('_', "-");
    let mut text = head(&name, about, marker);
    text.push_str("publish = false\n");
    let used = dependency::used(api, side, files);
    let of_runtime = emit::runtime_features(api, side);
    text.push_str(&features(api, side, &used, &of_runtime));
    text.push_str("\n[dependencies]\n");
    let mut lines: BTreeMap<&str, String> = used.iter().map(|used| (used.dependency.name, line(used))).collect();
    for (name, wanted) in &api.dependencies {
        let used = used.iter().find(|used| used.dependency.name == name).map(|used| used.dependency);
        lines.insert(name, wanted_line(name, wanted, used));
    }
    lines.insert(RUNTIME, runtime_line(runtime, &of_runtime));
    text.extend(lines.into_values());
    text
}

/// The text of the file of a crate over the client, whose folder is `client`. `feature` is the runtime's, and `lines` are
/// the other dependencies.
pub(super) fn over_client(
    crate_name: &str,
    about: &str,
    client: &str,
    options: &Options,
    feature: &str,
    mut lines: Vec<String>,
) -> String {
    let name = crate_name.replace('_', "-");
    let client_name = options.crate_name(Side::Client).replace('_', "-");
    lines.push(format!("{client_name} = {{ path = {} }}\n", string(client)));
    lines.push(runtime_line(&options.runtime.clone().unwrap_or_default(), &[(None, feature)]));
    lines.sort();
    format!("{}publish = false\n\n[dependencies]\n{}", head(&name, about, &options.marker), lines.concat())
}

/// The marker and the beginning of `[package]`.
fn head(name: &str, about: &str, marker: &str) -> String {
    let mut text = format!("# {marker}\n\n[package]\n");
    for (key, value) in [
        ("name", name),
        ("description", about),
        ("version", "0.1.0"),
        ("edition", EDITION),
        ("rust-version", RUST_VERSION),
    ] {
        let _ = writeln!(text, "{key} = {}", string(value));
    }
    text
}

/// The line of the runtime.
pub(super) fn runtime_line(runtime: &Runtime, features: &[(Option<&str>, &str)]) -> String {
    let (key, value) = match runtime {
        Runtime::Version(version) => ("version", version),
        Runtime::Path(path) => ("path", path),
        Runtime::Git(address) => ("git", address),
    };
    let features: Vec<_> = features.iter().filter(|(with, _)| with.is_none()).map(|(_, feature)| *feature).collect();
    let value = string(value);
    format!("{RUNTIME} = {{ {key} = {value}, default-features = false, features = {features:?} }}\n")
}

/// The line of a crate that the user adds; `used` if generated code depends on it already.
fn wanted_line(name: &str, wanted: &ir::Dependency, used: Option<&Dependency>) -> String {
    let version = wanted.version.as_deref().or(used.map(|used| used.version));
    let version = version.or(wanted.path.is_none().then_some("*"));
    let mut features: Vec<&str> = used.map(|used| used.features.to_vec()).unwrap_or_default();
    features.extend(wanted.features.iter().map(String::as_str));
    features.dedup();
    let mut entries: Vec<String> = version.iter().map(|version| format!("version = {}", string(version))).collect();
    entries.extend(wanted.path.iter().map(|path| format!("path = {}", string(path))));
    entries.extend((!wanted.default_features).then(|| "default-features = false".to_owned()));
    if !features.is_empty() {
        let features: Vec<String> = features.into_iter().map(string).collect();
        entries.push(format!("features = [{}]", features.join(", ")));
    }
    match &entries[..] {
        [only] if only.starts_with("version") => format!("{} = {}\n", key(name), &only["version = ".len()..]),
        _ => format!("{} = {{ {} }}\n", key(name), entries.join(", ")),
    }
}

/// A key of TOML.
fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { string(name) }
}

/// The table of features: one for each tag (all default), one each for arbitrary values, serde, tracing, webhooks and their signatures, checked responses, and blocking calls.
fn features(api: &Api, side: Side, used: &[Used], of_runtime: &[(Option<&str>, &str)]) -> String {
    let mut text = String::new();
    let tags: Vec<&str> = api.tags.iter().filter_map(|tag| tag.feature.as_deref()).collect();
    if !tags.is_empty() {
        text.push_str("default = [\n");
        for tag in &tags {
            let _ = writeln!(text, "    {tag:?},");
        }
        text.push_str("]\n");
        for tag in &tags {
            let _ = writeln!(text, "{tag} = []");
        }
    }
    // The models of a client have no rules.
    if side != Side::Client && !api.models.is_empty() {
        let _ = writeln!(text, "{ARBITRARY} = [\"{RUNTIME}/{ARBITRARY}\"]");
    }
    for (feature, is_there) in
        [(SERDE, !api.models.is_empty()), (TRACING, side != Side::Models), (WEBHOOKS, !api.webhooks.is_empty())]
    {
        if is_there {
            let needed = used
                .iter()
                .filter(|used| used.feature == Some(feature) && !api.dependencies.contains_key(used.dependency.name));
            let of_runtime = of_runtime.iter().filter(|(with, _)| *with == Some(feature));
            let of_runtime = of_runtime.map(|(_, of_runtime)| format!("{RUNTIME}/{of_runtime}"));
            let names: Vec<_> = needed.map(|used| format!("dep:{}", used.dependency.name)).chain(of_runtime).collect();
            let _ = writeln!(text, "{feature} = {names:?}");
        }
    }
    if side == Side::Server {
        let _ = writeln!(text, "{CHECK_RESPONSES} = [\"{RUNTIME}/{CHECK_RESPONSES}\"]");
    }
    if side == Side::Client {
        let _ = writeln!(text, "{BLOCKING} = [\"{RUNTIME}/{BLOCKING}\"]");
    }
    if side == Side::Client && !api.webhooks.is_empty() {
        let _ = writeln!(text, "{SIGNATURES} = [{WEBHOOKS:?}, \"{RUNTIME}/{SIGNATURES}\"]");
    }
    if text.is_empty() { text } else { format!("\n[features]\n{text}") }
}

/// A line below `[dependencies]`.
pub(super) fn line(Used { dependency, feature }: &Used) -> String {
    let Dependency { name, version, bare, features } = dependency;
    if !bare && feature.is_none() && features.is_empty() {
        return format!("{name} = \"{version}\"\n");
    }
    let mut text = format!("{name} = {{ version = \"{version}\"");
    if *bare {
        text.push_str(", default-features = false");
    }
    if !features.is_empty() {
        let _ = write!(text, ", features = {features:?}");
    }
    if feature.is_some() {
        text.push_str(", optional = true");
    }
    text.push_str(" }\n");
    text
}

/// A string of TOML.
pub(super) fn string(text: &str) -> String {
    let mut string = String::from("\"");
    for letter in text.chars() {
        match letter {
            '\\' | '"' => string.extend(['\\', letter]),
            _ if letter.is_control() => {
                let _ = write!(string, "\\u{:04X}", u32::from(letter));
            }
            _ => string.push(letter),
        }
    }
    string.push('"');
    string
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version() -> Runtime {
        Runtime::Version("0.1".to_owned())
    }

    #[test]
    fn edition_and_compiler_are_those_of_the_workspace() {
        let workspace = include_str!("../../../Cargo.toml");
        assert!(workspace.contains(&format!("edition = \"{EDITION}\"\n")));
        assert!(workspace.contains(&format!("rust-version = \"{RUST_VERSION}\"\n")));
    }

    #[test]
    fn what_the_user_wants_is_a_dependency_too() {
        let file = |text: &str| File { path: "src/lib.rs".to_owned(), text: text.to_owned() };
        let files = [file("use jiff::Timestamp;\nuse uuid::Uuid;\nuse http::Method;\n")];
        let yaml = r#"
            openapi: 3.0.3
            info: { title: Pets, version: '1' }
            paths: {}
            components:
              schemas:
                A: { type: string, x-rust-type: { path: '::money::Money', crate: { name: money, path: '../a\"b', features: [x] } } }
                B: { type: string, x-rust-type: { path: '::uuid::NonNilUuid', crate: { name: uuid, features: [v4] } } }
                C: { type: string, x-rust-type: { path: '::jiff::Zoned', crate: { name: jiff, version: '0.2.9' } } }
                D: { type: string, x-rust-type: { path: '::d::D', crate: { name: d, version: '1', default-features: false } } }
                E: { type: string, x-rust-type: { path: '::e::E', crate: { name: e } } }
        "#;
        let description = crate::Generator::new().read(&crate::Source::text(yaml)).expect("it is a description");
        assert!(description.warnings().is_empty());
        let text = manifest(description.api(), "pet_client", "Pets.", Side::Client, &files, "@generated", &version());
        let (_, dependencies) = text.split_once("[dependencies]\n").expect("it has some");
        assert_eq!(
            dependencies,
            r#"d = { version = "1", default-features = false }
e = "*"
http = "1"
jiff = { version = "0.2.9", features = ["std"] }
money = { path = "../a\\\"b", features = ["x"] }
specwright-runtime = { version = "0.1", default-features = false, features = ["client"] }
uuid = { version = "1", features = ["v4"] }
"#
        );
    }

    #[test]
    fn what_types_are_asked_for_from_is_a_dependency_of_both() {
        let file = |text: &str| File { path: "src/models/a.rs".to_owned(), text: text.to_owned() };
        let files = [file("pub at: ::chrono::DateTime<::chrono::Utc>,\n")];
        for (wanted, line) in [
            ("chrono", r#"chrono = { version = "0.4", default-features = false, features = ["std"] }"#),
            (
                "{ path: '::chrono::DateTime<::chrono::Utc>', crate: { name: chrono, features: [clock] } }",
                r#"chrono = { version = "0.4", features = ["std", "clock"] }"#,
            ),
        ] {
            let yaml = format!(
                "openapi: 3.0.3\ninfo: {{ title: Pets, version: '1' }}\npaths: {{}}\ncomponents: {{ schemas: {{ \
                 A: {{ type: object, properties: {{ at: {{ type: string, format: date-time, x-rust-type: {wanted} }} }} }} }} }}\n"
            );
            let description =
                crate::Generator::new().read(&crate::Source::text(yaml.as_str())).expect("it is a description");
            assert!(description.warnings().is_empty());
            for side in [Side::Server, Side::Client] {
                let text = manifest(description.api(), "pets", "Pets.", side, &files, "@generated", &version());
                let (_, dependencies) = text.split_once("[dependencies]\n").expect("it has some");
                assert!(dependencies.lines().any(|found| found == line), "{dependencies}");
            }
        }
    }

    #[test]
    fn only_what_is_used_is_a_dependency() {
        let file = |text: &str| File { path: "src/lib.rs".to_owned(), text: text.to_owned() };
        let files = [file("use bytes::Bytes;\n"), file("bytes::copy(axum::x)\n")];
        let yaml = "openapi: 3.0.3\ninfo: { title: Pets, version: '1' }\npaths: {}\n";
        let description = crate::Generator::new().read(&crate::Source::text(yaml)).expect("it is a description");
        let text = manifest(
            description.api(),
            "pet_client",
            r#"The "pet" \ side."#,
            Side::Client,
            &files,
            "@generated",
            &version(),
        );
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

[features]
tracing = ["specwright-runtime/tracing"]
blocking = ["specwright-runtime/blocking"]

[dependencies]
bytes = "1"
specwright-runtime = { version = "0.1", default-features = false, features = ["client"] }
"#
        );
    }
}
