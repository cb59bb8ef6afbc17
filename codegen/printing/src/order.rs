//! In which order `mod` and `use` lines stand, and the names in them.

use std::ops::Range;

use crate::file::{after_attributes, after_visibility};
use crate::lexer::Token;

/// The items, with those next to each other in order that are declarations of modules, or public `use` lines.
pub(crate) fn in_order(tokens: &[Token<'_>], items: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let kind = |item: &Range<usize>| {
        let start = after_attributes(tokens, item.start);
        let keyword = tokens[after_visibility(tokens, start)].text;
        let is_line = tokens[item.end - 1].text == ";" && matches!(keyword, "mod" | "use");
        is_line.then_some((keyword, start == item.start))
    };
    let mut items = items;
    for group in items.chunk_by_mut(|a, b| kind(a).is_some() && kind(a) == kind(b)) {
        if group.len() > 1 {
            group.sort_by_cached_key(|item| {
                let start = after_visibility(tokens, after_attributes(tokens, item.start)) + 1;
                let text: String = tokens[start..item.end - 1].iter().map(|token| token.text).collect();
                if tokens[start - 1].text == "mod" { vec![Segment::Module(text)] } else { path(&text) }
            });
        }
    }
    items
}

/// How names are ordered: keywords first, and lists last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Segment {
    Keyword(u8),
    /// What is declared, byte by byte.
    Module(String),
    /// Part of a path.
    Name(Vec<Part>),
    List,
}

/// Part of a name: digits are ordered by their number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// A `_` comes before any other character.
    Underscore,
    Number(usize, String),
    Other(char),
}

pub(crate) fn path(text: &str) -> Vec<Segment> {
    let text = text.trim_end_matches(';');
    let name = |segment: &str| match segment {
        "self" => Segment::Keyword(0),
        "super" => Segment::Keyword(1),
        "crate" => Segment::Keyword(2),
        _ if segment.starts_with('{') => Segment::List,
        _ => Segment::Name(parts(segment)),
    };
    match text.split_once('{') {
        Some((path, _)) => path.split_terminator("::").map(name).chain([Segment::List]).collect(),
        None => text.split("::").map(name).collect(),
    }
}

fn parts(name: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = name.trim_start_matches("r#");
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = digits.max(first.len_utf8());
        parts.push(match first {
            '_' => Part::Underscore,
            _ if digits > 0 => {
                let number = rest[..digits].trim_start_matches('0');
                Part::Number(number.len(), number.to_owned())
            }
            _ => Part::Other(first),
        });
        rest = &rest[length..];
    }
    parts
}
