//! What fails with a description, and whether it is the same after a change.

use std::collections::BTreeSet;

use specwright::{Code, Diagnostic, Severity};

/// Something that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A problem of the description.
    Diagnostic { code: Code, message: String, help: String, is_error: bool },
    /// A panic of the generator, with its place in the source.
    Panic { place: String, message: String },
    /// An error of the compiler in generated code; `text` is all of it.
    Compiler { code: String, message: String, text: String },
}

impl Problem {
    /// Whether nothing usable is generated.
    pub(super) fn is_fatal(&self) -> bool {
        !matches!(self, Self::Diagnostic { is_error: false, .. })
    }

    /// Whether it must not be new: it would hide the wanted problem, or make a puzzle of the description.
    fn distracts(&self) -> bool {
        self.is_fatal() || matches!(self, Self::Diagnostic { code: Code::Repaired, .. })
    }

    /// The problem in one line.
    pub(super) fn headline(&self) -> String {
        match self {
            Self::Diagnostic { code, message, .. } => format!("{}: {message}", code.number()),
            Self::Panic { place, message } => format!("panicked at {place}: {message}"),
            Self::Compiler { code, message, .. } => format!("error[{code}]: {message}"),
        }
    }

    /// What stays the same while parts are removed, which changes no names.
    fn exact(&self) -> String {
        match self {
            Self::Diagnostic { code, message, .. } => format!("{} {message}", code.number()),
            Self::Panic { .. } | Self::Compiler { .. } => self.outline(),
        }
    }

    /// What stays the same when names are replaced, too.
    fn outline(&self) -> String {
        match self {
            Self::Diagnostic { code, message, help, .. } => {
                format!("{} {} {}", code.number(), without_quoted(message), without_quoted(help))
            }
            Self::Panic { place, message } => format!("{place} {}", without_quoted(message)),
            Self::Compiler { code, message, .. } => format!("{code} {}", without_quoted(message)),
        }
    }
}

impl From<&Diagnostic> for Problem {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self::Diagnostic {
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            help: diagnostic.help.join("\n"),
            is_error: diagnostic.severity == Severity::Error,
        }
    }
}

/// The problem that a smaller description has to keep.
pub(super) struct Wanted {
    form: fn(&Problem) -> String,
    problem: String,
    /// Other problems that may remain.
    allowed: BTreeSet<String>,
}

impl Wanted {
    /// The same message.
    pub(super) fn exactly(problem: &Problem, found: &[Problem]) -> Self {
        Self::new(Problem::exact, problem, found)
    }

    /// The same message but for what is quoted. `found` has the problem with the help that it has now.
    pub(super) fn in_outline(problem: &Problem, found: &[Problem]) -> Self {
        let now = found.iter().find(|now| now.exact() == problem.exact()).unwrap_or(problem);
        Self::new(Problem::outline, now, found)
    }

    fn new(form: fn(&Problem) -> String, problem: &Problem, found: &[Problem]) -> Self {
        Self {
            form,
            problem: form(problem),
            allowed: found.iter().filter(|found| found.distracts()).map(form).collect(),
        }
    }

    /// Whether the problem is one of these, and no new one distracts from it.
    pub(super) fn is_in(&self, found: &[Problem]) -> bool {
        self.find(found).is_some()
            && found.iter().filter(|found| found.distracts()).all(|found| self.allowed.contains(&(self.form)(found)))
    }

    /// The wanted one of these problems.
    pub(super) fn find<'a>(&self, found: &'a [Problem]) -> Option<&'a Problem> {
        found.iter().find(|found| (self.form)(found) == self.problem)
    }
}

/// The text without its quoted parts.
fn without_quoted(text: &str) -> String {
    let mut outline = String::new();
    let mut quote = None;
    for character in text.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            Some(_) => continue,
            None if matches!(character, '`' | '"') => quote = Some(character),
            None => {}
        }
        outline.push(character);
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::without_quoted;

    #[test]
    fn quoted_names_do_not_count() {
        assert_eq!(without_quoted("`Pet` has no \"name\": it's `a`"), "`` has no \"\": it's ``");
        assert_eq!(without_quoted("open `"), "open `");
    }
}
