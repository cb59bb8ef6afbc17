//! The sink of diagnostics, which takes each problem of each place once.

use foldhash::HashSet;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::location::Location;

/// Takes diagnostics. A problem of a shared component is reported once, however often the component is used.
pub(crate) struct Reporter<'a> {
    diagnostics: &'a mut Diagnostics,
    reported: HashSet<(Code, Location)>,
    /// Takes the notes of problems that have been reported before.
    discarded: Diagnostic,
}

impl<'a> Reporter<'a> {
    /// A sink that writes into `diagnostics`.
    pub(crate) fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Self { diagnostics, reported: HashSet::default(), discarded: discarded() }
    }

    /// Reports a problem, unless it has been reported at this place.
    pub(crate) fn report(&mut self, code: Code, location: &Location, message: impl Into<String>) -> &mut Diagnostic {
        if self.reported.insert((code, location.clone())) {
            self.diagnostics.report(code, location, message)
        } else {
            &mut self.discarded
        }
    }

    /// Whether this problem of this place has been reported.
    pub(crate) fn has_reported(&self, code: Code, location: &Location) -> bool {
        self.reported.contains(&(code, location.clone()))
    }

    /// Reports a problem of which one place may have several, such as the entries of the configuration.
    pub(crate) fn report_each(
        &mut self,
        code: Code,
        location: &Location,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.report(code, location, message)
    }

    /// Drops the diagnostics for which `keep` says no.
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
