//! What makes a crate of the files below `src`: `Cargo.toml`, `rustfmt.toml` and `README.md`.

mod dependency;
mod manifest;
mod readme;

#[cfg(feature = "build")]
use crate::emit;
use crate::emit::Side;
use crate::ir::Api;
use crate::render::File;

/// `Cargo.toml`, `rustfmt.toml` and `README.md` of the crate that consists of `files`; code calls it `crate_name`.
pub(crate) fn package(api: &Api, side: Side, crate_name: &str, files: &[File], marker: &str) -> Vec<File> {
    let about = about(api, side);
    vec![
        File { path: "Cargo.toml".to_owned(), text: manifest::manifest(api, crate_name, &about, side, files, marker) },
        // The layout is the generator's: `cargo fmt` would make the crate stale.
        File { path: "rustfmt.toml".to_owned(), text: format!("# {marker}\n\ndisable_all_formatting = true\n") },
        File { path: "README.md".to_owned(), text: readme::readme(api, crate_name, &about, side, marker) },
    ]
}

/// A dependency of generated code.
#[cfg(feature = "build")]
pub(crate) struct Needed {
    /// What it is called.
    pub(crate) name: &'static str,
    /// The line of `Cargo.toml`, with its end.
    pub(crate) line: String,
    /// The features that need it; none: it is always needed.
    pub(crate) features: Vec<&'static str>,
}

/// What the `files` of a side depend on.
#[cfg(feature = "build")]
pub(crate) fn needed(api: &Api, side: Side, files: &[File]) -> Vec<Needed> {
    let used = dependency::used(api, side, files).into_iter();
    let needed = |used: dependency::Used| Needed {
        name: used.dependency.name,
        line: manifest::line(&used),
        features: used.features,
    };
    let runtime = manifest::runtime(api, side).map(|line| Needed { name: emit::RUNTIME, line, features: Vec::new() });
    used.map(needed).chain(runtime).collect()
}

/// Code of the crate as somebody who depends on it would write it.
pub(crate) fn outside(code: &str, crate_name: &str) -> String {
    code.replace(" crate::", &format!(" {crate_name}::"))
}

/// A sentence; titles of descriptions have been seen with line breaks.
fn about(api: &Api, side: Side) -> String {
    let words = |text: &str| {
        let words: Vec<_> = text.split(|character: char| character.is_whitespace() || character.is_control()).collect();
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let side = match side {
        Side::Server => "server",
        Side::Client => "client",
    };
    format!("The {side} side of {}, version {}.", words(&api.title), words(&api.version))
}
