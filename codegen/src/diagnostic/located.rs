//! Problems with the lines and columns they are about.

use std::ops::Range;

use super::excerpt::Sources;
use super::{Diagnostic, Diagnostics};
use crate::files::Files;

/// A problem, and where it stands in its file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Located<'a> {
    /// The problem.
    pub diagnostic: &'a Diagnostic,
    /// From the first character to the one behind the last; `None` when the file cannot be read.
    pub range: Option<Range<Position>>,
}

/// A character of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Counted from 1.
    pub line: usize,
    /// In Unicode scalar values, counted from 1.
    pub column: usize,
}

impl Diagnostics {
    /// Every problem in the order of the text; `files` are those it was found in.
    pub fn locate(&self, files: &dyn Files) -> Vec<Located<'_>> {
        let sources = Sources::new(self.locations(), files);
        let located = |diagnostic| Located { diagnostic, range: sources.range(&diagnostic.location) };
        let mut list: Vec<_> = self.iter().map(located).collect();
        list.sort_by_key(|found| (found.diagnostic.location.file(), found.range.as_ref().map(|range| range.start)));
        list
    }
}
