//! Collects diagnostics, each once per location.

use foldhash::HashSet;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::location::Location;

/// Collects diagnostics. A problem of a shared component is reported once, however often it is used.
pub(crate) struct Reporter<'a> {
    diagnostics: &'a mut Diagnostics,
    reported: HashSet<(Code, Location)>,
    /// Takes the notes of duplicate reports.
    discarded: Diagnostic,
}

impl<'a> Reporter<'a> {
    /// A reporter that adds to `diagnostics`.
    pub(crate) fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Self { diagnostics, reported: HashSet::default(), discarded: discarded() }
    }

    /// Reports a problem, unless it has been reported at this location.
    pub(crate) fn report(&mut self, code: Code, location: &Location, message: impl Into<String>) -> &mut Diagnostic {
        if self.reported.insert((code, location.clone())) {
            self.diagnostics.report(code, location, message)
        } else {
            &mut self.discarded
        }
    }

    /// Whether this problem has been reported at this location.
    pub(crate) fn has_reported(&self, code: Code, location: &Location) -> bool {
        self.reported.contains(&(code, location.clone()))
    }

    /// Reports a problem that may occur several times at one location, such as entries of the configuration.
    pub(crate) fn report_each(
        &mut self,
        code: Code,
        location: &Location,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.report(code, location, message)
    }

    /// Drops the diagnostics for which `keep` returns `false`.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.diagnostics.retain(keep);
    }
}

/// A diagnostic that is never shown.
fn discarded() -> Diagnostic {
    Diagnostic {
        code: Code::LeftOut,
        severity: Severity::Warning,
        message: String::new(),
        location: Location::root(""),
        label: None,
        related: Vec::new(),
        help: Vec::new(),
        notes: Vec::new(),
    }
}
