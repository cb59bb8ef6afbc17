//! Diagnostics as text, the way rustc shows them.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::place::find;
use super::{Diagnostic, Diagnostics, Position, Severity};
use crate::load::{Files, decode};
use crate::location::Location;

/// How messages look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// With the escape sequences of a terminal.
    Coloured,
}

impl Diagnostics {
    /// Shows every problem with the lines it is about, in the order of the text; `files` are those it was found in.
    pub fn render(&self, files: &dyn Files, style: Style) -> String {
        self.render_first(usize::MAX, files, style)
    }

    /// The same for no more than `count` problems: the first ones, errors before warnings.
    pub fn render_first(&self, count: usize, files: &dyn Files, style: Style) -> String {
        let sources = Sources::new(self.locations(), files);
        let place = |found: &&Diagnostic| (found.location.file().to_owned(), sources.start(&found.location));
        let mut list: Vec<&Diagnostic> = self.iter().collect();
        list.sort_by_cached_key(place);
        if list.len() > count {
            list.sort_by_key(|found| found.severity);
            list.truncate(count);
            list.sort_by_cached_key(place);
        }
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Coloured => Renderer::styled(),
        };
        let mut text = String::new();
        for diagnostic in list {
            text.push_str(&renderer.render(&[message(diagnostic, &sources)]));
            text.push_str("\n\n");
        }
        text
    }
}

fn message<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.number());
    let mut elements = sources.excerpts(&diagnostic.location, diagnostic.label.as_deref(), &diagnostic.related);
    elements.extend(diagnostic.help.iter().map(|text| Level::HELP.message(text.as_str()).into()));
    elements.extend(diagnostic.notes.iter().map(|text| Level::NOTE.message(text.as_str()).into()));
    title.elements(elements)
}

/// The texts that are shown, with the places of all that is reported in them.
pub(crate) struct Sources {
    files: BTreeMap<String, Source>,
}

struct Source {
    text: String,
    /// Where each line ends.
    ends: Vec<usize>,
    places: BTreeMap<Location, Range<usize>>,
}

impl Source {
    /// Where the byte at `offset` stands.
    fn position(&self, offset: usize) -> Position {
        let line = self.ends.partition_point(|end| *end < offset);
        let start = line.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        Position { line: line + 1, column: self.text[start..offset].chars().count() + 1 }
    }
}

impl Sources {
    /// The files in which these places are.
    pub(crate) fn new<'l>(wanted: impl Iterator<Item = &'l Location>, files: &dyn Files) -> Self {
        let mut locations: BTreeMap<String, Vec<&Location>> = BTreeMap::new();
        for location in wanted {
            locations.entry(location.file().to_owned()).or_default().push(location);
        }
        let source = |(file, locations): (String, Vec<&Location>)| {
            let bytes = files.read(&file).ok()?;
            let text = decode(&bytes).ok()?.into_owned();
            let ends = text.match_indices('\n').map(|(index, _)| index).collect();
            let places = locations.iter().copied().cloned().zip(find(&text, &locations)).collect();
            Some((file, Source { text, ends, places }))
        };
        Self { files: locations.into_iter().filter_map(source).collect() }
    }

    fn start(&self, location: &Location) -> usize {
        self.files.get(location.file()).map_or(0, |source| source.places[location].start)
    }

    /// The characters that the location means, as far as the file can be read.
    pub(crate) fn range(&self, location: &Location) -> Option<Range<Position>> {
        let source = self.files.get(location.file())?;
        let range = source.places.get(location)?;
        Some(source.position(range.start)..source.position(range.end))
    }

    /// The place and what is related to it, file by file.
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
        shown.into_iter().map(|(file, marks)| self.excerpt(file, &marks)).collect()
    }

    fn excerpt<'a>(&'a self, file: &'a str, marks: &[Mark<'a>]) -> Element<'a> {
        let Some(source) = self.files.get(file) else { return Origin::path(file).into() };
        let ranges: Vec<&Range<usize>> = marks.iter().map(|mark| &source.places[mark.location]).collect();
        // Only the lines in question are handed over: documents have megabytes.
        let first = ranges.iter().map(|range| range.start).min().unwrap_or_default();
        let last = ranges.iter().map(|range| range.end).max().unwrap_or_default();
        let line = source.ends.partition_point(|end| *end < first);
        let start = line.checked_sub(1).map_or(0, |before| source.ends[before] + 1);
        let last_line = source.ends.partition_point(|end| *end < last);
        let end = source.ends.get(last_line).copied().unwrap_or(source.text.len());
        let annotations = marks.iter().zip(ranges).map(|(mark, range)| {
            let kind = if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(range.start - start..range.end - start).label(mark.label)
        });
        Snippet::source(&source.text[start..end]).path(file).line_start(line + 1).annotations(annotations).into()
    }
}

/// A place that is shown.
struct Mark<'a> {
    location: &'a Location,
    label: Option<&'a str>,
    is_primary: bool,
}
