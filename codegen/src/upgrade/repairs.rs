//! What a rule may do beyond its object: report problems, and move members.

use super::moves::Moves;
use super::version::Version;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::location::{Location, Path};

/// The file being checked, with its problems and repairs.
pub(super) struct Repairs<'a> {
    pub file: &'a str,
    /// The version of the description.
    pub version: Version,
    pub diagnostics: &'a mut Diagnostics,
    /// Renamed members.
    pub renamed: &'a mut Moves,
}

impl Repairs<'_> {
    /// The location of a path.
    pub(super) fn location(&self, path: &Path<'_>) -> Location {
        Location::at(self.file, path.pointer())
    }

    /// Reports a problem of the value at a path.
    pub(super) fn report(&mut self, code: Code, path: &Path<'_>, message: impl Into<String>) -> &mut Diagnostic {
        let location = self.location(path);
        self.diagnostics.report(code, &location, message)
    }

    /// Reports a problem of the name at a path.
    pub(super) fn report_name(&mut self, code: Code, path: &Path<'_>, message: impl Into<String>) -> &mut Diagnostic {
        let location = self.location(path).name();
        self.diagnostics.report(code, &location, message)
    }

    /// Reports a repair.
    pub(super) fn repaired(&mut self, path: &Path<'_>, message: impl Into<String>) {
        self.report(Code::Repaired, path, message);
    }
}
