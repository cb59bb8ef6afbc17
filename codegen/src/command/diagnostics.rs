//! Diagnostics on standard error, with excerpts and counts.

mod json;

use std::fmt::Write as _;
use std::io::{IsTerminal, stderr};

use specwright::{Diagnostics, Severity, Style};

use super::description::{Description, Here};

pub(super) use json::json;

/// Number of problems shown without `--all`.
const SHOWN: usize = 50;

/// Prints the problems of the description.
pub(super) fn print(description: &Description, diagnostics: &Diagnostics, all: bool) {
    eprint!("{}", text(description, diagnostics, all));
}

/// The problems of the description as text.
pub(super) fn text(description: &Description, diagnostics: &Diagnostics, all: bool) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let is_overlays = is_of_an_overlay(description, diagnostics);
    let diagnostics = from_here(description, diagnostics);
    let at_fault = diagnostics.iter().next().filter(|_| is_overlays).map(|diagnostic| diagnostic.location.file());
    let count = diagnostics.iter().count();
    let shown = if all { count } else { count.min(SHOWN) };
    let mut text = diagnostics.render_first(shown, &Here, style(&stderr()));
    if count > shown {
        let _ = writeln!(text, "and {} more; `--all` shows them", count - shown);
    }
    let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    text + &summary(at_fault.unwrap_or(&description.entry), count(Severity::Error), count(Severity::Warning)) + "\n"
}

/// Whether every problem is in an overlay, so that the document is not at fault.
fn is_of_an_overlay(description: &Description, diagnostics: &Diagnostics) -> bool {
    let is_all_in = |file: &String| diagnostics.iter().all(|diagnostic| diagnostic.location.file() == file);
    description.overlays.iter().any(is_all_in)
}

/// The diagnostics with paths relative to the working directory.
pub(super) fn from_here(description: &Description, diagnostics: &Diagnostics) -> Diagnostics {
    let mut diagnostics = diagnostics.clone();
    if let Some(folder) = description.folder() {
        diagnostics.below(&folder);
    }
    diagnostics.rename_files(|file| description.copy(file));
    diagnostics
}

/// Colours are for terminals, unless the environment decides (<https://no-color.org>,
/// <https://bixense.com/clicolors>).
pub(super) fn style(output: &impl IsTerminal) -> Style {
    let is_coloured = is_coloured(output.is_terminal(), &|name| std::env::var(name).ok());
    if is_coloured { Style::Coloured } else { Style::Plain }
}

fn is_coloured(is_terminal: bool, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").as_deref() != Some("0") {
        return true;
    }
    is_terminal && variable("CLICOLOR").as_deref() != Some("0") && variable("TERM").as_deref() != Some("dumb")
}

fn summary(entry: &str, errors: usize, warnings: usize) -> String {
    let counted = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    match (errors, warnings) {
        (0, warnings) => format!("warning: `{entry}` has {}", counted(warnings, "warning")),
        (errors, 0) => format!("error: `{entry}` has {}", counted(errors, "error")),
        (errors, warnings) => {
            format!("error: `{entry}` has {} and {}", counted(errors, "error"), counted(warnings, "warning"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_coloured, summary};

    #[test]
    fn colours_are_for_terminals_unless_the_environment_decides() {
        for (variables, piped, terminal) in [
            (&[][..], false, true),
            (&[("NO_COLOR", "1")], false, false),
            (&[("NO_COLOR", "")], false, true),
            (&[("CLICOLOR_FORCE", "1")], true, true),
            (&[("CLICOLOR_FORCE", "0")], false, true),
            (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false, false),
            (&[("CLICOLOR", "0")], false, false),
            (&[("TERM", "dumb")], false, false),
        ] {
            let variable =
                |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(
                (is_coloured(false, &variable), is_coloured(true, &variable)),
                (piped, terminal),
                "{variables:?}"
            );
        }
    }

    #[test]
    fn problems_are_counted() {
        assert_eq!(summary("a.yaml", 0, 1), "warning: `a.yaml` has 1 warning");
        assert_eq!(summary("a.yaml", 2, 0), "error: `a.yaml` has 2 errors");
        assert_eq!(summary("a.yaml", 1, 3), "error: `a.yaml` has 1 error and 3 warnings");
    }
}
