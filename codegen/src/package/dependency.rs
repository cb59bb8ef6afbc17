//! Which crates a generated crate depends on, and with which features.

use memchr::memmem;

use crate::dependencies::{DEPENDENCIES, Dependency};
use crate::emit::{self, Side, WEBHOOKS};
use crate::ir::Api;
use crate::parallel;
use crate::render::{File, is_code};

/// A dependency that some file uses.
pub(super) struct Used {
    pub(super) dependency: &'static Dependency,
    /// The only feature that uses it.
    pub(super) feature: Option<&'static str>,
}

/// The dependencies that some file uses.
pub(super) fn used(api: &Api, side: Side, files: &[File]) -> Vec<Used> {
    // A dependency of other sides only is never meant, even if a name of the description looks like it.
    let others: &[&str] = match side {
        Side::Server => &["reqwest"],
        Side::Client => &["axum"],
        Side::Models => &["axum", "http", "reqwest"],
    };
    // Nor is a crate whose types were not requested: tags may have the same names.
    let is_asked_for = |name: &str| !["chrono", "time"].contains(&name) || emit::names_type_of(api, name);
    let code: Vec<_> = files.iter().filter(|file| is_code(&file.path)).collect();
    let (mut always, mut in_webhooks) = (0, 0);
    for (file, mentioned) in code.iter().zip(parallel::map(&code, |file| mentioned(&file.text))) {
        if emit::is_webhook(api, &file.path) {
            in_webhooks |= mentioned;
        } else {
            always |= mentioned;
        }
    }
    let used = |(index, dependency): (usize, &'static Dependency)| {
        if !is_asked_for(dependency.name) {
            return None;
        }
        if !others.contains(&dependency.name) && always & 1 << index != 0 {
            return Some(Used { dependency, feature: None });
        }
        (in_webhooks & 1 << index != 0).then_some(Used { dependency, feature: Some(WEBHOOKS) })
    };
    DEPENDENCIES.iter().enumerate().filter_map(used).collect()
}

/// A set of [`DEPENDENCIES`], one bit each.
type Set = u32;

/// The dependencies that the text names in a path.
fn mentioned(text: &str) -> Set {
    let mut mentioned = 0;
    for end in memmem::find_iter(text.as_bytes(), "::") {
        let before = text[..end].trim_end_matches(|letter: char| letter == '_' || letter.is_alphanumeric());
        let Some(index) = number(&text[before.len()..end]).filter(|index| mentioned & 1 << index == 0) else {
            continue;
        };
        // A path that starts with `::` names a crate; a module of the same name has a prefix.
        let front = before.strip_suffix("::").unwrap_or(before);
        let is_crate = !front.ends_with(|last: char| matches!(last, ':' | '_' | '>') || last.is_alphanumeric());
        let line = &before[before.rfind('\n').map_or(0, |start| start + 1)..];
        if is_crate && !line.trim_start().starts_with("//") {
            mentioned |= 1 << index;
        }
    }
    mentioned
}

/// The index in [`DEPENDENCIES`] of a crate, by its name in code.
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
            // The service has its own TLS.
            let chosen = |feature: &str| (name, feature) == ("reqwest", "rustls");
            for feature in dependency.features {
                assert!(chosen(feature) || features.iter().any(|known| known == feature), "{name}: {feature}");
            }
        }
    }
}
