//! Places in YAML.

mod skim;

use std::ops::Range;

use saphyr_parser::{Event, Marker, Parser, ScanError, Span};

use super::Wanted;
use crate::location;

/// Tells `wanted` where everything stands; what is no YAML ends the walk.
pub(super) fn walk(text: &str, wanted: &mut Wanted) {
    if walk_through(&skim::skim(text, wanted), text, wanted).is_err() {
        // An alias may be that of an anchor which has been left out.
        wanted.forget();
        let _ = walk_through(text, text, wanted);
    }
}

/// `skimmed` has the lines of `text`, though some of them empty.
fn walk_through(skimmed: &str, text: &str, wanted: &mut Wanted) -> Result<(), ScanError> {
    let mut walk = Walk { lines: Lines::new(text), wanted, pointer: String::new(), open: Vec::new() };
    for event in Parser::new_from_str(skimmed) {
        let (event, span) = event?;
        walk.event(event, span);
    }
    Ok(())
}

struct Walk<'a> {
    lines: Lines<'a>,
    wanted: &'a mut Wanted,
    /// Leads to the node that was last begun.
    pointer: String,
    open: Vec<Open>,
}

/// An object or a list whose end has not come.
struct Open {
    /// The length of the pointer to it.
    length: usize,
    /// Somebody looks for it or for something in it; elsewhere the pointer is not kept.
    is_wanted: bool,
    kind: Kind,
}

enum Kind {
    Mapping { at_value: bool },
    Sequence { next: usize },
}

impl Walk<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Scalar(text, ..) => {
                if !self.begin(Some(&text), span) {
                    self.value(span, true);
                }
            }
            Event::Alias(_) => {
                if !self.begin(None, span) {
                    self.value(span, true);
                }
            }
            Event::MappingStart(..) => self.container(span, Kind::Mapping { at_value: false }),
            Event::SequenceStart(..) => self.container(span, Kind::Sequence { next: 0 }),
            Event::MappingEnd | Event::SequenceEnd => {
                self.open.pop();
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
    }

    /// Moves the pointer to the node that begins. `true`: it is the name of a member.
    fn begin(&mut self, text: Option<&str>, span: Span) -> bool {
        let Some(open) = self.open.last_mut() else { return false };
        match &mut open.kind {
            Kind::Mapping { at_value: at_value @ false } => {
                *at_value = true;
                if !open.is_wanted {
                    return true;
                }
                self.pointer.truncate(open.length);
                location::push(&mut self.pointer, text.unwrap_or("?"));
                if self.wanted.contains(&self.pointer) {
                    let range = self.lines.range(span);
                    self.wanted.name(&self.pointer, range);
                }
                true
            }
            Kind::Mapping { at_value } => {
                *at_value = false;
                false
            }
            Kind::Sequence { .. } if !open.is_wanted => false,
            Kind::Sequence { next } => {
                self.pointer.truncate(open.length);
                location::push(&mut self.pointer, &next.to_string());
                *next += 1;
                false
            }
        }
    }

    fn container(&mut self, span: Span, kind: Kind) {
        if !self.begin(None, span) {
            self.value(span, false);
        }
        let is_wanted = self.is_wanted();
        self.open.push(Open { length: self.pointer.len(), is_wanted, kind });
    }

    /// Somebody looks for the node that was last begun, or for one in it.
    fn is_wanted(&self) -> bool {
        self.open.last().is_none_or(|open| open.is_wanted) && self.wanted.contains(&self.pointer)
    }

    fn value(&mut self, span: Span, is_scalar: bool) {
        if self.is_wanted() {
            let range = self.lines.range(span);
            let end = if is_scalar { range.end } else { self.lines.text.len() };
            self.wanted.value(&self.pointer, range.start..end, is_scalar);
        }
    }
}

/// Turns lines and columns, counted in characters, into bytes.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1)).collect();
        Self { text, starts }
    }

    fn range(&self, span: Span) -> Range<usize> {
        let start = self.byte(span.start);
        let end = self.byte(span.end).max(start);
        start..start + closing_quote(&self.text[start..end])
    }

    fn byte(&self, marker: Marker) -> usize {
        let start = self.starts.get(marker.line().saturating_sub(1)).copied().unwrap_or(self.text.len());
        let rest = &self.text[start..];
        start + rest.char_indices().nth(marker.col()).map_or(rest.len(), |(index, _)| index)
    }
}

/// The parser lets quoted text go on to the next token; it ends at its quote.
fn closing_quote(text: &str) -> usize {
    let Some(quote @ ('"' | '\'')) = text.chars().next() else { return text.len() };
    let mut escaped = false;
    for (index, character) in text.char_indices().skip(1) {
        if character == quote && !escaped && !(quote == '\'' && text[index + 1..].starts_with('\'')) {
            return index + 1;
        }
        // A backslash in double quotes, and the first of two single ones.
        escaped = !escaped && (character == '\\' && quote == '"' || character == quote);
    }
    text.len()
}
