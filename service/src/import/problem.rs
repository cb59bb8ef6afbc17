//! Problems of files, and how they are shown.

use crate::{
    domain::job::{LogLine, Severity},
    store::{
        import::{Count, MOST_PROBLEMS, Outcome},
        record::{Origin, Problem, Resource},
    },
};

/// Problems of files.
#[derive(Debug, Default)]
pub(super) struct Problems {
    kept: Vec<Problem>,
    more: u64,
}

impl Problems {
    /// Adds a problem of a record, or of a file without a resource. Beyond the maximum they are only counted.
    pub(super) fn add(&mut self, origin: Origin, resource: Option<&Resource>, detail: impl Into<String>) {
        if self.kept.len() < MOST_PROBLEMS {
            let resource = resource.map(|resource| resource.name);
            self.kept.push(Problem { origin, resource, detail: detail.into() });
        } else {
            self.more += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Number of problems beyond the stored ones.
    pub(super) fn more(&self) -> u64 {
        self.more
    }

    /// Sorted by file and line.
    pub(super) fn into_sorted(mut self) -> Vec<Problem> {
        self.kept.sort_by_key(|problem| problem.origin);
        self.kept
    }
}

/// The message: `accounts.json:7: AccountName is missing`.
pub(super) fn text(problem: &Problem, files: &[String]) -> String {
    let file = files.get(problem.origin.file as usize).map_or("", String::as_str);
    format!("{file}:{}: {}", problem.origin.line, problem.detail)
}

/// The log of an import.
pub(super) fn log(outcome: &Outcome, more: u64, files: &[String]) -> Vec<LogLine> {
    let mut lines: Vec<LogLine> = Vec::new();
    for Count { resource, loaded, new } in &outcome.counts {
        lines.push(LogLine {
            severity: Severity::Information,
            action: format!("Import {resource}"),
            message: format!("{loaded} loaded, {new} of them new"),
        });
    }
    for problem in &outcome.problems {
        let action = problem.resource.map_or("Import".to_owned(), |resource| format!("Import {resource}"));
        lines.push(LogLine { severity: Severity::Error, action, message: text(problem, files) });
    }
    let (severity, message) = if outcome.problems.is_empty() {
        let all: u64 = outcome.counts.iter().map(|count| count.loaded).sum();
        (Severity::Information, format!("{all} loaded from {}", files.join(", ")))
    } else {
        let all = outcome.problems.len() as u64 + more;
        (Severity::Error, format!("nothing of {} is kept; problems: {all}", files.join(", ")))
    };
    lines.push(LogLine { severity, action: "Import".into(), message });
    lines
}
