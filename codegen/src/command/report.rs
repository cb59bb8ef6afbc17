//! Diagnostics on standard error, with the excerpts they point at, and how many there are.

use std::io::{IsTerminal, stderr};

use codegen::{Diagnostics, Severity, Style};

use super::description::{Description, Here};

/// So many are shown unless all are asked for.
const SHOWN: usize = 50;

/// Says what is wrong with the description.
pub(super) fn print(description: &Description, diagnostics: &Diagnostics, all: bool) {
    if diagnostics.is_empty() {
        return;
    }
    let diagnostics = from_here(description, diagnostics);
    let count = diagnostics.iter().count();
    let shown = if all { count } else { count.min(SHOWN) };
    eprint!("{}", diagnostics.render_first(shown, &Here, style(&stderr())));
    if count > shown {
        eprintln!("and {} more; `--all` shows them", count - shown);
    }
    let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    eprintln!("{}", summary(&description.entry, count(Severity::Error), count(Severity::Warning)));
}

/// The same with the files called as they are from here.
pub(super) fn from_here(description: &Description, diagnostics: &Diagnostics) -> Diagnostics {
    let mut diagnostics = diagnostics.clone();
    if let Some(folder) = description.folder() {
        diagnostics.below(&folder);
    }
    diagnostics.rename_files(|file| description.copy(file));
    diagnostics
}

/// Colours are for terminals, and for those who have not said no (<https://no-color.org>).
pub(super) fn style(output: &impl IsTerminal) -> Style {
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if output.is_terminal() && !is_unwanted { Style::Coloured } else { Style::Plain }
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
    use super::summary;

    #[test]
    fn problems_are_counted() {
        assert_eq!(summary("a.yaml", 0, 1), "warning: `a.yaml` has 1 warning");
        assert_eq!(summary("a.yaml", 2, 0), "error: `a.yaml` has 2 errors");
        assert_eq!(summary("a.yaml", 1, 3), "error: `a.yaml` has 1 error and 3 warnings");
    }
}
