//! Locations in YAML.

use std::ops::Range;

use saphyr_parser::{Event, Marker, Parser, Span};

use super::Wanted;
use crate::location;

/// Records the range of each requested node; invalid YAML ends the walk.
pub(super) fn walk(text: &str, wanted: &mut Wanted) {
    let mut walk = Walk { lines: Lines::new(text), wanted, pointer: String::new(), open: Vec::new() };
    for (event, span) in Parser::new_from_str(text).map_while(Result::ok) {
        walk.event(event, span);
    }
}

struct Walk<'a> {
    lines: Lines<'a>,
    wanted: &'a mut Wanted,
    /// Pointer to the node that began last.
    pointer: String,
    open: Vec<Open>,
}

/// An object or array that is still open.
struct Open {
    /// The length of its pointer.
    length: usize,
    /// Whether it or something in it is requested; otherwise the pointer is not kept.
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

    /// Moves the pointer to the node that begins. `true`: the node is a member name.
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

    /// Whether the node that began last, or one in it, is requested.
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

/// Converts lines and columns, counted in characters, to bytes.
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

/// The parser extends quoted text to the next token; this finds the closing quote.
fn closing_quote(text: &str) -> usize {
    let Some(quote @ ('"' | '\'')) = text.chars().next() else { return text.len() };
    let mut escaped = false;
    for (index, character) in text.char_indices().skip(1) {
        if character == quote && !escaped && !(quote == '\'' && text[index + 1..].starts_with('\'')) {
            return index + 1;
        }
        // A backslash in double quotes, or the first of two single quotes.
        escaped = !escaped && (character == '\\' && quote == '"' || character == quote);
    }
    text.len()
}
