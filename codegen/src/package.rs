//! Makes a crate of the files below `src`: `Cargo.toml`, `rustfmt.toml` and `README.md`.

pub(crate) mod cli;
mod dependency;
mod manifest;
pub(crate) mod mcp;
mod readme;

use crate::Options;
#[cfg(feature = "build")]
use crate::Runtime;
#[cfg(feature = "build")]
use crate::emit;
use crate::emit::Side;
use crate::ir::Api;
use crate::render::File;

/// `Cargo.toml`, `rustfmt.toml` and `README.md` of the crate with these `files`.
pub(crate) fn package(api: &Api, side: Side, files: &[File], options: &Options) -> Vec<File> {
    let (marker, crate_name) = (&options.marker, &options.crate_name(side));
    let about = about(api, side);
    let runtime = options.runtime.clone().unwrap_or_default();
    vec![
        File {
            path: "Cargo.toml".to_owned(),
            text: manifest::manifest(api, crate_name, &about, side, files, marker, &runtime),
        },
        layout(marker),
        File { path: "README.md".to_owned(), text: readme::readme(api, crate_name, &about, side, marker) },
    ]
}

/// `rustfmt.toml`. The generator decides the layout: `cargo fmt` would make the crate stale.
fn layout(marker: &str) -> File {
    File { path: "rustfmt.toml".to_owned(), text: format!("# {marker}\n\ndisable_all_formatting = true\n") }
}

/// A dependency of generated code.
#[cfg(feature = "build")]
pub(crate) struct Needed {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its line in `Cargo.toml`, with the line end.
    pub(crate) line: String,
    /// The feature that needs it; always needed if `None`.
    pub(crate) feature: Option<&'static str>,
}

/// The dependencies of the `files` of a side.
#[cfg(feature = "build")]
pub(crate) fn needed(api: &Api, side: Side, files: &[File], runtime: &Runtime) -> Vec<Needed> {
    let used = dependency::used(api, side, files).into_iter();
    let needed = |used: dependency::Used| Needed {
        name: used.dependency.name,
        line: manifest::line(&used),
        feature: used.feature,
    };
    let line = manifest::runtime_line(runtime, &emit::runtime_features(api, side));
    used.map(needed).chain([Needed { name: emit::RUNTIME, line, feature: None }]).collect()
}

/// Code of the crate, rewritten as a dependent crate would write it.
pub(crate) fn outside(code: &str, crate_name: &str) -> String {
    code.replace(" crate::", &format!(" {crate_name}::"))
}

/// A text in one line; titles may contain line breaks.
fn words(text: &str) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A one-line summary.
fn about(api: &Api, side: Side) -> String {
    let part = match side {
        Side::Server => "server side",
        Side::Client => "client side",
        Side::Models => "models",
    };
    format!("The {part} of {}, version {}.", words(&api.title), words(&api.version))
}
