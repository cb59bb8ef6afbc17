//! The one table of the crates that generated code uses.

use memchr::memmem;

use crate::emit::{self, SERDE, Side, WEBHOOKS};
use crate::ir::Api;
use crate::parallel;
use crate::render::{File, is_code};

/// A crate that generated code may use.
pub(super) struct Dependency {
    /// As `Cargo.toml` spells it.
    pub(super) name: &'static str,
    /// The oldest version that will do.
    pub(super) version: &'static str,
    /// Without its default features.
    pub(super) bare: bool,
    /// What generated code needs of it.
    pub(super) features: &'static [&'static str],
}

/// All of them, in the order in which they are written.
pub(super) const DEPENDENCIES: &[Dependency] = &[
    bare("axum", "0.8", &["matched-path"]),
    whole("base64", "0.23", &[]),
    whole("bytes", "1", &[]),
    whole("futures-core", "0.3", &[]),
    whole("http", "1", &[]),
    whole("itoa", "1", &[]),
    bare("jiff", "0.2", &["std"]),
    bare("jiter", "0.18", &[]),
    whole("multer", "3.1", &[]),
    whole("percent-encoding", "2.3", &[]),
    whole("regex-lite", "0.1", &[]),
    whole("regress", "0.12", &[]),
    bare("reqwest", "0.13", &["http2", "rustls", "stream"]),
    bare("rust_decimal", "1.43", &["std"]),
    whole("serde", "1", &[]),
    whole("serde_json", "1", &[]),
    whole("tokio", "1", &["fs", "io-util", "sync", "time"]),
    whole("tokio-util", "0.7", &["io"]),
    whole("uuid", "1", &[]),
    whole("zmij", "1", &[]),
];

const fn whole(name: &'static str, version: &'static str, features: &'static [&'static str]) -> Dependency {
    Dependency { name, version, bare: false, features }
}

const fn bare(name: &'static str, version: &'static str, features: &'static [&'static str]) -> Dependency {
    Dependency { name, version, bare: true, features }
}

/// A dependency that some file mentions.
pub(super) struct Used {
    pub(super) dependency: &'static Dependency,
    /// Only files mention it that are compiled with these features; none: it is always needed.
    pub(super) features: Vec<&'static str>,
}

/// The table has a crate of that name.
pub(crate) fn is_known(name: &str) -> bool {
    DEPENDENCIES.iter().any(|dependency| dependency.name.replace('-', "_") == name.replace('-', "_"))
}

/// Those that some file mentions.
pub(super) fn used(api: &Api, side: Side, files: &[File]) -> Vec<Used> {
    // What only the other side is built on cannot be meant, whatever a word of the description looks like.
    let other = match side {
        Side::Server => "reqwest",
        Side::Client => "axum",
    };
    let code: Vec<_> = files.iter().filter(|file| is_code(&file.path)).collect();
    let mut always = 0;
    let mut gated = [(SERDE, 0), (WEBHOOKS, 0)];
    for (file, mentioned) in code.iter().zip(parallel::map(&code, |file| mentioned(&file.text))) {
        let feature = emit::of_file(api, side, &file.path);
        match gated.iter_mut().find(|(of, _)| Some(*of) == feature) {
            Some((_, set)) => *set |= mentioned,
            None => always |= mentioned,
        }
    }
    let used = |(index, dependency): (usize, &'static Dependency)| {
        if dependency.name != other && always & 1 << index != 0 {
            return Some(Used { dependency, features: Vec::new() });
        }
        let features = gated.iter().filter(|(_, set)| set & 1 << index != 0).map(|(feature, _)| *feature);
        let features: Vec<_> = features.collect();
        (!features.is_empty()).then_some(Used { dependency, features })
    };
    DEPENDENCIES.iter().enumerate().filter_map(used).collect()
}

/// Some of [`DEPENDENCIES`], a bit for each.
type Set = u32;

/// Those that some line of code names something of.
fn mentioned(text: &str) -> Set {
    let mut mentioned = 0;
    for end in memmem::find_iter(text.as_bytes(), "::") {
        let before = text[..end].trim_end_matches(|letter: char| letter == '_' || letter.is_alphanumeric());
        let Some(index) = number(&text[before.len()..end]).filter(|index| mentioned & 1 << index == 0) else {
            continue;
        };
        // A path that starts with `::` is one of a crate; a module of the same name is behind another one.
        let front = before.strip_suffix("::").unwrap_or(before);
        let is_crate = !front.ends_with(|last: char| matches!(last, ':' | '_' | '>') || last.is_alphanumeric());
        let line = &before[before.rfind('\n').map_or(0, |start| start + 1)..];
        if is_crate && !line.trim_start().starts_with("//") {
            mentioned |= 1 << index;
        }
    }
    mentioned
}

/// The place among [`DEPENDENCIES`] of a crate, as code calls it.
fn number(name: &str) -> Option<usize> {
    let matches = |(known, letter): (u8, u8)| known == letter || known == b'-' && letter == b'_';
    DEPENDENCIES.iter().position(|dependency| {
        dependency.name.len() == name.len() && dependency.name.bytes().zip(name.bytes()).all(matches)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_that_names_a_crate_uses_it() {
        let cases = [
            ("use uuid::Uuid;", true),
            ("    pub id: uuid::Uuid,", true),
            ("    pub id: ::uuid::NonNilUuid,", true),
            ("    <T>::uuid::read()", false),
            ("/// like `uuid::Uuid`", false),
            ("use crate::runtime::uuid::read;", false),
            ("my_uuid::read()", false),
        ];
        for (line, expected) in cases {
            assert_eq!(mentioned(line) == 1 << number("uuid").unwrap(), expected, "{line}");
            assert!(expected || mentioned(line) == 0, "{line}");
        }
    }

    #[test]
    fn versions_are_those_of_the_workspace() {
        let workspace = include_str!("../../../Cargo.toml");
        for dependency in DEPENDENCIES {
            let name = dependency.name;
            let line = workspace.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            let line = line.unwrap_or_else(|| panic!("the workspace has no `{name}`"));
            let strings =
                |text: &str| -> Vec<String> { text.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
            assert_eq!(strings(line)[0], dependency.version, "{name}");
            assert_eq!(line.contains("default-features = false"), dependency.bare, "{name}");
            let features = line.split_once("features = [").map(|(_, features)| strings(features)).unwrap_or_default();
            for feature in dependency.features {
                assert!(features.iter().any(|known| known == feature), "{name}: {feature}");
            }
        }
    }
}
