//! `README.md`.

use std::fmt::Write as _;

use super::dependency;
use super::outside;
use crate::dependencies::Dependency;
use crate::emit::{self, Places, Section, Side};
use crate::ir::{Api, Model, ModelKind};
use crate::render::{self, File};

/// The text of the file.
pub(super) fn readme(api: &Api, crate_name: &str, about: &str, side: Side, marker: &str) -> String {
    let name = crate_name.replace('_', "-");
    let about = escaped(about);
    let use_ = match side {
        Side::Server => {
            "It has a trait for each tag of the description, with typed requests and answers. What arrives is checked \
             against the description before a method is called. Implement the traits, and hand the implementation to \
             `router`, which makes an `axum::Router` of it."
        }
        Side::Client => {
            "It has a method for each operation of the description, with typed requests and answers. Values and \
             members that the description does not know are kept or skipped: a server may learn something new without \
             breaking its callers."
        }
        Side::Models => {
            "It has a type for each schema of the description, which is read from JSON and written as JSON, and depends on \
             no HTTP library. What is wrong with a document, by the types and rules of the description, is reported all at once."
        }
    };
    let example = match side {
        Side::Models => first_model(api, crate_name),
        Side::Server => program(api, crate_name, &name),
        Side::Client => format!("\n## A first call\n\n```rust\n{}```\n", emit::call(api, crate_name)),
    };
    let webhooks = if api.webhooks.is_empty() { String::new() } else { webhooks(side) };
    let features = features(api, &name, side);
    let serde = if api.models.is_empty() { String::new() } else { serde(side) };
    // The models of a client have no rules.
    let arbitrary = if api.models.is_empty() || side == Side::Client { String::new() } else { arbitrary(side) };
    let check_responses = if side == Side::Server { CHECK_RESPONSES } else { "" };
    let blocking = if side == Side::Client { BLOCKING } else { "" };
    let tracing = tracing(side);
    let calls = if side == Side::Client { calls(api) } else { String::new() };
    format!(
        "<!-- {marker} -->\n\n# {name}\n\n{about}\n\n{use_}\n{example}{features}{serde}{arbitrary}{check_responses}{blocking}{tracing}{webhooks}{calls}"
    )
}

/// A program that compiles as it is; empty for a description without operations.
fn program(api: &Api, crate_name: &str, name: &str) -> String {
    let Some((tag, program)) = emit::program(api) else { return String::new() };
    let program = outside(&render::code(program, Places::default()), crate_name);
    let mut commands =
        format!("cargo add --path ../{name}\ncargo add axum\ncargo add tokio --features macros,net,rt-multi-thread\n");
    // Response types may come from other crates.
    let main = File { path: "src/main.rs".to_owned(), text: program };
    let used = dependency::used(api, Side::Server, std::slice::from_ref(&main));
    for Dependency { name, version, .. } in used.into_iter().map(|used| used.dependency) {
        if !matches!(*name, "axum" | "tokio") {
            let _ = writeln!(commands, "cargo add {name}@{version}");
        }
    }
    let mut text = format!("\n## A program to start from\n\n```sh\n{commands}```\n\n```rust\n{}```\n", main.text);
    if api.tags.len() > 1 {
        let authenticator =
            if Section::paths(api).credentials().is_empty() { "" } else { ", and takes an authenticator" };
        let _ = write!(
            text,
            "\nIt serves `{}` only. `{crate_name}::router` serves all tags, once the service implements all their \
             traits{authenticator}.\n",
            tag.name.rust
        );
    }
    text
}

/// How the first object of the description is read and written.
fn first_model(api: &Api, crate_name: &str) -> String {
    let is_object = |model: &&Model| matches!(model.kind, ModelKind::Struct(_));
    let Some(model) = api.models.iter().find(is_object) else { return String::new() };
    let model = &model.name.rust;
    format!(
        "\n## Reading and writing\n\n```rust,ignore\nuse {crate_name}::{{{model}, json}};\n\n\
         match json::from_slice_strict::<{model}>(bytes) {{\n    \
         Ok(value) => queue.send(json::to_vec(&value)),\n    \
         Err(violations) => eprintln!(\"{{violations:?}}\"),\n}}\n```\n\n\
         `json::check` checks a value that was made in Rust. `json::from_slice` reads without the rules, but checks types.\n"
    )
}

/// The call of each operation; empty for a description without operations.
fn calls(api: &Api) -> String {
    if api.tags.is_empty() {
        return String::new();
    }
    let mut text = "\n## Every call\n\nRequired values have the names of their fields. The types of requests are in the modules of \
                    their tags.\n\n| operation | call |\n|---|---|\n"
        .to_owned();
    for (tag, operation) in api.tags.iter().flat_map(|tag| tag.operations.iter().map(move |operation| (tag, operation)))
    {
        let (method, path, call) = (operation.method.as_str(), &operation.path, emit::snippet(api, tag, operation));
        let _ = writeln!(text, "| `{method} {}` | `{call}` |", path.replace('|', "\\|"));
    }
    text
}

const BLOCKING: &str = "
## Without async

With the cargo feature `blocking` every call has `send_blocking()`, `runtime::blocking::wait` waits for other futures, and
`runtime::blocking::iter` makes an iterator of a stream.
";

const CHECK_RESPONSES: &str = "
## Checked responses

With the cargo feature `check-responses` and `Options::check_responses(OPENAPI)` the router checks the responses by the description
in tests: one that breaks it is logged, and a 500 is sent in its place.
";

/// The types of the models.
fn types(side: Side) -> &'static str {
    match side {
        Side::Server | Side::Client => "types in `models`",
        Side::Models => "types",
    }
}

fn arbitrary(side: Side) -> String {
    let types = types(side);
    format!(
        "\n## Arbitrary values\n\nWith the cargo feature `arbitrary` the {types} implement `Arbitrary` of the crate `arbitrary`, for \
         fuzzing and\nproperty tests. Their values keep the rules of the description; `runtime::arbitrary::broken` breaks one.\n"
    )
}

fn serde(side: Side) -> String {
    let types = types(side);
    format!(
        "\n## Serde\n\nWith the cargo feature `serde` the {types} implement `serde::Serialize` and `serde::Deserialize`, over \
         the same code\nthat reads and writes the bodies of messages: what is wrong with a value is reported all at once.\n"
    )
}

/// How to enable only some tags; empty if tags are not features.
fn features(api: &Api, name: &str, side: Side) -> String {
    let Some((tag, feature)) = api.tags.iter().find_map(|tag| Some((tag, tag.feature.as_ref()?))) else {
        return String::new();
    };
    let mut text = format!(
        "\n## Some of the tags\n\nEvery tag is a cargo feature, and all of them are default features. A crate that needs a \
         few says which, and compiles only their operations and the types that these reach:\n\n\
         ```toml\n{name} = {{ path = \"../{name}\", default-features = false, features = [{feature:?}] }}\n```\n"
    );
    if side == Side::Server {
        let second = if Section::paths(api).credentials().is_empty() { "()" } else { "authenticator" };
        let _ = write!(
            text,
            "\n`router` asks for the traits of all tags, so it is there with the default features only. Without them the \
             router is put together from its tags:\n\n\
             ```rust,ignore\nlet mut routes = Routes::new(service, {second});\n{}::add_routes(&mut routes);\n\
             let app: axum::Router = routes.into_router(&options);\n```\n",
            tag.module
        );
    }
    text
}

fn tracing(side: Side) -> String {
    let (what, more) = match side {
        Side::Server => ("request to an operation", "the route"),
        Side::Client => ("call", "the path template, how often it was sent again"),
        Side::Models => return String::new(),
    };
    format!(
        "\n## Tracing\n\nWith the cargo feature `tracing` each {what} is a span with the operation, the method, {more} and the \
         status, named as OpenTelemetry does. It has no headers, bodies, or values of parameters.\n"
    )
}

fn webhooks(side: Side) -> String {
    let text = match side {
        Side::Server => {
            "With the cargo feature `webhooks` it has the module `webhooks`: a client, `Client::sender()`, with a method \
             for each webhook and callback, which sends it to the URL that its receiver has given."
        }
        Side::Client => {
            "With the cargo feature `webhooks` it has the module `webhooks`: the traits of a receiver, and a `router` \
             that checks what arrives against the description before it calls them. With `signatures`, its options \
             verify the signatures of requests (Standard Webhooks)."
        }
        Side::Models => return String::new(),
    };
    format!("\n## Webhooks and callbacks\n\n{text}\n")
}

/// The text with Markdown characters escaped.
pub(super) fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, character| {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|') {
            escaped.push('\\');
        }
        escaped.push(character);
        escaped
    })
}
