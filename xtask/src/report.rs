//! Prints diagnostics with excerpts.

use std::io::{IsTerminal, stderr};
use std::path::Path;

use specwright::{Diagnostics, Severity, Style};

use crate::source::Repository;

/// Prints the problems of the description to standard error, with a count.
pub(crate) fn print(root: &Path, diagnostics: &Diagnostics) {
    if diagnostics.is_empty() {
        return;
    }
    let is_coloured = stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let style = if is_coloured { Style::Coloured } else { Style::Plain };
    let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    eprint!("{}", diagnostics.render(&Repository { root }, style));
    eprintln!("{}", summary(count(Severity::Error), count(Severity::Warning)));
}

fn summary(errors: usize, warnings: usize) -> String {
    let counted = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    match (errors, warnings) {
        (0, warnings) => counted(warnings, "warning"),
        (errors, 0) => format!("{}; nothing is generated", counted(errors, "error")),
        (errors, warnings) => {
            format!("{} and {}; nothing is generated", counted(errors, "error"), counted(warnings, "warning"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn problems_are_counted() {
        assert_eq!(summary(0, 1), "1 warning");
        assert_eq!(summary(2, 0), "2 errors; nothing is generated");
        assert_eq!(summary(1, 3), "1 error and 3 warnings; nothing is generated");
    }
}
