//! Empties lines that no request needs, because skimming a long text is far faster than parsing it.

use super::super::Wanted;
use crate::location;

/// The lines of the text; members of the document, or of one of its members, are emptied if nothing in them
/// is requested.
pub(super) fn skim(text: &str, wanted: &Wanted) -> String {
    let mut skimmed = String::with_capacity(text.len());
    for member in members(text, 0) {
        let (line, rest) = member.split_at(member.find('\n').map_or(member.len(), |end| end + 1));
        let Some((name, value)) = named(line) else {
            skimmed.push_str(member);
            continue;
        };
        let pointer = pointer("", name);
        match indent(rest).filter(|_| value.is_empty()) {
            Some(indent) if wanted.contains(&pointer) => {
                skimmed.push_str(line);
                for inner in members(rest, indent) {
                    let is_wanted =
                        named(inner).is_none_or(|(name, _)| wanted.contains(&self::pointer(&pointer, name)));
                    push(inner, is_wanted, &mut skimmed);
                }
            }
            _ => {
                let is_wanted = wanted.contains(&pointer);
                // The document starts at its first member.
                push(line, is_wanted || stands_alone(value), &mut skimmed);
                push(rest, is_wanted, &mut skimmed);
            }
        }
    }
    skimmed
}

/// Pushes the lines, or as many empty ones.
fn push(lines: &str, is_wanted: bool, skimmed: &mut String) {
    if is_wanted {
        skimmed.push_str(lines);
    } else {
        skimmed.extend(lines.matches('\n'));
    }
}

fn pointer(parent: &str, name: &str) -> String {
    let mut pointer = parent.to_owned();
    location::push(&mut pointer, name);
    pointer
}

/// The name on the first line and the rest of that line; `None` if it needs a real parser.
fn named(text: &str) -> Option<(&str, &str)> {
    let line = text.lines().next()?.trim();
    let quote = line.chars().next().filter(|first| matches!(first, '"' | '\''));
    let (name, value) = match quote {
        Some(quote) => line[1..].split_once(quote).map(|(name, rest)| (name, rest.strip_prefix(':')))?,
        None => match line.split_once(": ") {
            Some((name, value)) => (name, Some(value)),
            None => (line.strip_suffix(':')?, Some("")),
        },
    };
    let is_word = !name.contains(['\\', '#', ':', ' ']);
    is_word.then_some((name, value?.trim()))
}

/// Whether the first line alone is a complete member: the value is empty, a word, starts with one, or is
/// quoted.
fn stands_alone(value: &str) -> bool {
    let is_quoted = |quote| value.starts_with(quote) && value.find(quote) < value.rfind(quote);
    value.is_empty() || value.starts_with(char::is_alphanumeric) || ['"', '\''].into_iter().any(is_quoted)
}

/// The members whose names stand after that many spaces: it is cut before each line that begins with one.
fn members(text: &str, indent: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        let begins =
            line.len() - line.trim_start_matches(' ').len() == indent && line[indent..].starts_with(is_of_name);
        if begins && end > start && !text[start..end].trim().is_empty() {
            parts.push(&text[start..end]);
            start = end;
        }
        end += line.len();
    }
    parts.push(&text[start..]);
    parts
}

/// How far the first line that says something is indented, if it is.
fn indent(text: &str) -> Option<usize> {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    Some(first.len() - first.trim_start_matches(' ').len()).filter(|indent| *indent > 0)
}

/// Only what starts a name for certain: no item of a list, comment, bracket, tag or anchor.
fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '/' | '_' | '$' | '"' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skimmed(text: &str, pointers: &[&str]) -> String {
        let mut wanted = Wanted::default();
        for pointer in pointers {
            wanted.add(pointer);
        }
        skim(text, &wanted)
    }

    #[test]
    fn unrequested_members_become_empty_lines() {
        let text = "# A.\nopenapi: '3.0.3' # B\ntags:\n- name: a\n\npaths:\n  # All.\n  /a:\n    get: |\n      /b:\n  '/b':\n    get: {}\n  ? c\n  : d\ninfo: {\n  a: b\n}\n";
        let of_b =
            "# A.\nopenapi: '3.0.3' # B\ntags:\n\n\npaths:\n  # All.\n\n\n\n  '/b':\n    get: {}\n  ? c\n  : d\n\n\n\n";
        assert_eq!(skimmed(text, &["/paths/~1b/get"]), of_b);
        let of_a = "# A.\nopenapi: '3.0.3' # B\ntags:\n- name: a\n\npaths:\n  # All.\n  /a:\n    get: |\n      /b:\n\n\n\n\n\n\n\n";
        assert_eq!(skimmed(text, &["/paths/~1a", "/tags/0/name"]), of_a);
        let of_info = "# A.\nopenapi: '3.0.3' # B\ntags:\n\n\npaths:\n\n\n\n\n\n\n\n\ninfo: {\n  a: b\n}\n";
        assert_eq!(skimmed(text, &["/info/a"]), of_info);
    }

    #[test]
    fn names_that_take_more_to_read_are_kept() {
        let text = "a:\n  \"\\u00e4\": 1\n  b #c: 2\n  d : 3\n  'e''f': 4\n  g: 5\n";
        assert_eq!(skimmed(text, &["/a/h"]), "a:\n  \"\\u00e4\": 1\n  b #c: 2\n  d : 3\n  'e''f': 4\n\n");
    }
}
