//! Path templates: filling and matching them.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Characters that a description may have in a path, and a URI may not.
const NOT_IN_PATHS: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'^').add(b'|').add(b'}');

/// A path template: literals and the names of parameters between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    first: String,
    /// Each parameter with the literal after it.
    holes: Vec<(String, String)>,
}

impl Template {
    pub(crate) fn new(path: &str) -> Self {
        let mut pieces = path.split('{');
        let first = literal_of(pieces.next().unwrap_or_default());
        let hole = |piece: &str| {
            let (name, literal) = piece.split_once('}').unwrap_or((piece, ""));
            (name.to_owned(), literal_of(literal))
        };
        Self { first, holes: pieces.map(hole).collect() }
    }

    /// The path with a text for each parameter.
    pub(crate) fn fill(&self, text: impl Fn(&str) -> String) -> String {
        let holes = self.holes.iter().map(|(name, literal)| text(bare(name)) + literal);
        holes.fold(self.first.clone(), |path, piece| path + &piece)
    }

    /// The text of each parameter in a path, still percent-encoded.
    pub(crate) fn find<'p>(&self, path: &'p str) -> Option<Vec<(&str, &'p str)>> {
        let mut found = Vec::new();
        matches(&self.holes, path.strip_prefix(self.first.as_str())?, &mut found).then_some(found)
    }

    /// The order in which templates are tried: those with fewer parameters and more text first.
    pub(crate) fn rank(&self) -> (usize, std::cmp::Reverse<usize>) {
        let literals = self.first.len() + self.holes.iter().map(|(_, literal)| literal.len()).sum::<usize>();
        (self.holes.len(), std::cmp::Reverse(literals))
    }
}

/// The text as a URI has it.
fn literal_of(text: &str) -> String {
    utf8_percent_encode(text, NOT_IN_PATHS).to_string()
}

/// The name without the sign of a parameter that has several segments.
fn bare(name: &str) -> &str {
    name.trim_end_matches(['+', '*'])
}

fn matches<'t, 'p>(holes: &'t [(String, String)], path: &'p str, found: &mut Vec<(&'t str, &'p str)>) -> bool {
    let Some(((name, literal), rest)) = holes.split_first() else { return path.is_empty() };
    let longest = if name.ends_with(['+', '*']) { path.len() } else { path.find('/').unwrap_or(path.len()) };
    // The shortest text first.
    for end in (1..=longest).filter(|end| path.is_char_boundary(*end)) {
        let Some(after) = path[end..].strip_prefix(literal.as_str()) else { continue };
        found.push((bare(name), &path[..end]));
        if matches(rest, after, found) {
            return true;
        }
        found.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::Template;

    #[test]
    fn a_segment_may_hold_several_parameters() {
        let found = |template: &str, path: &str| {
            let template = Template::new(template);
            let found = template.find(path)?;
            Some(found.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(found("/a/{b}/c", "/a/1/c").as_deref(), Some("b=1"));
        assert_eq!(found("/{name}.{end}", "/x.tar.gz").as_deref(), Some("name=x end=tar.gz"));
        assert_eq!(found("/tasks/{id}:cancel", "/tasks/7:cancel").as_deref(), Some("id=7"));
        assert_eq!(found("/files/{path+}", "/files/a/b").as_deref(), Some("path=a/b"));
        assert_eq!(found("/gr\u{f6}\u{df}e/{a}", "/gr%C3%B6%C3%9Fe/1").as_deref(), Some("a=1"));
        for path in ["/a/c", "/a//c", "/a/1/2/c", "/a/1/c/"] {
            assert_eq!(found("/a/{b}/c", path), None, "{path}");
        }
    }

    #[test]
    fn a_template_is_filled() {
        assert_eq!(Template::new("/a/{b}.{c}").fill(|name| name.repeat(2)), "/a/bb.cc");
    }
}
