//! Problems with their lines and columns.

use std::ops::Range;

use super::excerpt::Sources;
use super::{Diagnostic, Diagnostics};
use crate::files::Files;

/// A problem and its position in the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Located<'a> {
    /// The problem.
    pub diagnostic: &'a Diagnostic,
    /// The range, end exclusive; `None` if the file cannot be read.
    pub range: Option<Range<Position>>,
}

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Starts at 1.
    pub line: usize,
    /// In Unicode scalar values, starting at 1.
    pub column: usize,
}

impl Diagnostics {
    /// Every problem in the order of the text; `files` are those of the description.
    pub fn locate(&self, files: &dyn Files) -> Vec<Located<'_>> {
        let sources = Sources::new(self.locations(), files);
        let located = |diagnostic| Located { diagnostic, range: sources.range(&diagnostic.location) };
        let mut list: Vec<_> = self.iter().map(located).collect();
        list.sort_by_key(|found| (found.diagnostic.location.file(), found.range.as_ref().map(|range| range.start)));
        list
    }
}
