//! The source lines that a message shows.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Origin, Snippet};

use super::Position;
use super::place::find;
use crate::files::{Files, decode};
use crate::location::Location;

/// The longest line shown in full, in bytes: some documents have only one line.
const WIDEST_LINE: usize = 1000;

/// Bytes shown before a location in a longer line, and half of those shown from its start on.
const AROUND: usize = 40;

/// Ends the real location in a path; the renderer appends the location in the piece after it.
const REAL_PLACE_ENDS: char = '\u{e000}';

/// The texts to show, with the locations of all problems in them.
pub(crate) struct Sources {
    files: BTreeMap<String, Source>,
}

struct Source {
    text: String,
    /// The end of each line.
    ends: Vec<usize>,
    places: BTreeMap<Location, Range<usize>>,
}

impl Source {
    /// Line and column of the byte at `offset`.
    fn position(&self, offset: usize) -> Position {
        let line = self.ends.partition_point(|end| *end < offset);
        let start = line.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        Position { line: line + 1, column: self.text[start..offset].chars().count() + 1 }
    }

    /// The line on which a location begins.
    fn line(&self, location: &Location) -> Range<usize> {
        let line = self.ends.partition_point(|end| *end < self.places[location].start);
        let start = line.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        start..self.ends.get(line).copied().unwrap_or(self.text.len())
    }

    /// A location and its surroundings, for a line that is too long to show.
    fn piece<'a>(&self, file: &str, mark: &Mark<'a>) -> Element<'a> {
        let line = self.line(mark.location);
        let range = &self.places[mark.location];
        let start = self.text.floor_char_boundary(line.start.max(range.start.saturating_sub(AROUND)));
        let end = self.text.ceil_char_boundary(line.end.min(range.start + 2 * AROUND));
        let (before, after) = (if start > line.start { "..." } else { "" }, if end < line.end { "..." } else { "" });
        let shown = format!("{before}{}{after}", &self.text[start..end]);
        let shift = |offset: usize| offset.min(end) - start + before.len();
        let Position { line, column } = self.position(range.start);
        Snippet::source(shown)
            .path(format!("{file}:{line}:{column}{REAL_PLACE_ENDS}"))
            .line_start(line)
            .annotation(mark.annotation(shift(range.start)..shift(range.end)))
            .into()
    }
}

impl Sources {
    /// Reads the files of these locations.
    pub(crate) fn new<'l>(wanted: impl Iterator<Item = &'l Location>, files: &dyn Files) -> Self {
        let mut locations: BTreeMap<String, Vec<&Location>> = BTreeMap::new();
        for location in wanted {
            locations.entry(location.file().to_owned()).or_default().push(location);
        }
        let source = |(file, locations): (String, Vec<&Location>)| {
            let bytes = files.read(&file).ok()?;
            let text = decode(bytes).ok()?;
            let ends = text.match_indices('\n').map(|(index, _)| index).collect();
            let places = locations.iter().copied().cloned().zip(find(&text, &locations)).collect();
            Some((file, Source { text, ends, places }))
        };
        Self { files: locations.into_iter().filter_map(source).collect() }
    }

    pub(super) fn start(&self, location: &Location) -> usize {
        self.files.get(location.file()).map_or(0, |source| source.places[location].start)
    }

    /// The characters of the location, if the file can be read.
    pub(crate) fn range(&self, location: &Location) -> Option<Range<Position>> {
        let source = self.files.get(location.file())?;
        let range = source.places.get(location)?;
        Some(source.position(range.start)..source.position(range.end))
    }

    /// The location and its related ones, file by file.
    pub(crate) fn excerpts<'a>(
        &'a self,
        location: &'a Location,
        label: Option<&'a str>,
        related: &'a [(Location, String)],
    ) -> Vec<Element<'a>> {
        let mut shown: Vec<(&str, Vec<Mark<'_>>)> = Vec::new();
        let primary = Mark { location, label, is_primary: true };
        let related = related.iter().map(|(location, label)| Mark { location, label: Some(label), is_primary: false });
        for mark in std::iter::once(primary).chain(related) {
            let file = mark.location.file();
            match shown.iter_mut().find(|(name, _)| *name == file) {
                Some((_, marks)) => marks.push(mark),
                None => shown.push((file, vec![mark])),
            }
        }
        shown.into_iter().flat_map(|(file, marks)| self.excerpt(file, &marks)).collect()
    }

    fn excerpt<'a>(&'a self, file: &'a str, marks: &[Mark<'a>]) -> Vec<Element<'a>> {
        let Some(source) = self.files.get(file) else { return vec![Origin::path(file).into()] };
        if marks.iter().any(|mark| source.line(mark.location).len() > WIDEST_LINE) {
            return marks.iter().map(|mark| source.piece(file, mark)).collect();
        }
        let ranges: Vec<&Range<usize>> = marks.iter().map(|mark| &source.places[mark.location]).collect();
        // Only the lines in question are passed on: documents have megabytes.
        let first = ranges.iter().map(|range| range.start).min().unwrap_or_default();
        let last = ranges.iter().map(|range| range.end).max().unwrap_or_default();
        let line = source.ends.partition_point(|end| *end < first);
        let start = line.checked_sub(1).map_or(0, |before| source.ends[before] + 1);
        let last_line = source.ends.partition_point(|end| *end < last);
        let end = source.ends.get(last_line).copied().unwrap_or(source.text.len());
        let annotations =
            marks.iter().zip(ranges).map(|(mark, range)| mark.annotation(range.start - start..range.end - start));
        vec![Snippet::source(&source.text[start..end]).path(file).line_start(line + 1).annotations(annotations).into()]
    }
}

/// A location to show.
struct Mark<'a> {
    location: &'a Location,
    label: Option<&'a str>,
    is_primary: bool,
}

impl<'a> Mark<'a> {
    fn annotation(&self, range: Range<usize>) -> Annotation<'a> {
        let kind = if self.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        kind.span(range).label(self.label)
    }
}

/// Removes the location within a piece of a line, and keeps the one in the file.
pub(super) fn without_place_in_piece(message: &str) -> String {
    let mut parts = message.split(REAL_PLACE_ENDS);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.trim_start_matches(|character: char| character == ':' || character.is_ascii_digit()));
    }
    text
}
