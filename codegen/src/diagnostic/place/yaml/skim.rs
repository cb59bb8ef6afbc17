//! Leaves out what nobody looks for, because reading all of a long text takes far longer than finding its members.

use super::super::Wanted;
use crate::location;

/// The lines of the text, of which those are empty that belong to a member of the document, or to a member of one of its
/// members, in which nothing is looked for.
pub(super) fn skim(text: &str, wanted: &Wanted) -> String {
    let mut skimmed = String::with_capacity(text.len());
    let mut outer = Member::default();
    let mut inner = Member::default();
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let content = line[indent..].trim_end();
        let is_name = content.starts_with(is_of_name);
        if indent == 0 && is_name {
            outer = Member::new("", content, wanted);
            inner = Member::default();
            // The document starts where its first member does.
            if outer.is_open || outer.stands_alone {
                skimmed.push_str(line);
                continue;
            }
        } else if outer.is_open && !content.is_empty() && !content.starts_with('#') {
            let depth = *outer.depth.get_or_insert(indent);
            if indent > 0 && indent == depth && is_name {
                inner = Member::new(&outer.pointer, content, wanted);
            }
        }
        skimmed.push_str(if outer.is_wanted && inner.is_wanted { line } else { "\n" });
    }
    skimmed
}

struct Member {
    pointer: String,
    /// Something is looked for in it, or its name is more than a word.
    is_wanted: bool,
    /// Its value stands on the lines that follow.
    is_open: bool,
    /// Without what follows it is a member as well: its value is a word, starts with one, or is one in quotes.
    stands_alone: bool,
    /// How far its value is indented, once a line of it has come.
    depth: Option<usize>,
}

impl Default for Member {
    /// What stands in front of the first member.
    fn default() -> Self {
        Self { pointer: String::new(), is_wanted: true, is_open: false, stands_alone: false, depth: None }
    }
}

impl Member {
    /// The member that a line begins.
    fn new(parent: &str, line: &str, wanted: &Wanted) -> Self {
        let Some((name, value)) = named(line) else { return Self::default() };
        let mut pointer = parent.to_owned();
        location::push(&mut pointer, name);
        let is_quoted = |quote| value.len() > 1 && value.starts_with(quote) && value.find(quote) < value.rfind(quote);
        let stands_alone = value.starts_with(char::is_alphanumeric) || ['"', '\''].into_iter().any(is_quoted);
        Self { is_wanted: wanted.contains(&pointer), pointer, is_open: value.is_empty(), stands_alone, depth: None }
    }
}

/// The name at the start of a line and what follows it; `None` when it takes more to read it.
fn named(line: &str) -> Option<(&str, &str)> {
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

/// What a name may start with; a line that starts otherwise goes on with a member.
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
    fn members_that_nobody_looks_for_are_empty_lines() {
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
