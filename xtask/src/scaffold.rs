//! Prints an implementation of a tag's trait to start from.

use std::path::Path;
use std::process::ExitCode;

use codegen::Options;

use crate::source::{Repository, SOURCES};
use crate::{USAGE, report};

/// Prints the one for `tag`, in whatever letter case it is given.
pub(crate) fn print(root: &Path, tag: &str) -> ExitCode {
    let scaffolds = match codegen::scaffold(&Repository { root }, SOURCES[0].entry, &Options::default()) {
        Ok(scaffolds) => scaffolds,
        Err(diagnostics) => {
            report::print(root, &diagnostics);
            return ExitCode::FAILURE;
        }
    };
    if let Some((_, text)) = scaffolds.iter().find(|(name, _)| is_same(name, tag)) {
        print!("{text}");
        return ExitCode::SUCCESS;
    }
    let tags: Vec<&str> = scaffolds.keys().map(String::as_str).collect();
    eprintln!("error: there is no tag `{tag}`; the tags are {}", tags.join(", "));
    ExitCode::from(USAGE)
}

/// Whether only letter case and what stands between the words differ: `AgentNotes` is the tag `agent-notes`.
fn is_same(left: &str, right: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(left) == letters(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_as_they_are_typed() {
        assert!(is_same("agent-notes", "AgentNotes"));
        assert!(is_same("Accounts", "accounts"));
        assert!(!is_same("Accounts", "Account"));
    }
}
