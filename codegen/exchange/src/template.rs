//! Path templates: filling and matching them.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Characters that a description may have in a path, and a URI may not.
const NOT_IN_PATHS: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'`').add(b'^').add(b'|').add(b'{').add(b'}');

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

    /// The names of the parameters.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.holes.iter().map(|(name, _)| bare(name))
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

    /// Whether both have the same texts between their parameters, whose names may differ.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let texts = |template: &Self| template.holes.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
        self.first == other.first && texts(self) == texts(other)
    }

    /// The order in which templates are tried: those with fewer parameters and more text first.
    pub(crate) fn rank(&self) -> (usize, std::cmp::Reverse<usize>) {
        let literals = self.first.len() + self.holes.iter().map(|(_, literal)| literal.len()).sum::<usize>();
        (self.holes.len(), std::cmp::Reverse(literals))
    }
}

/// A path in the syntax of OpenAPI, from one with expressions of RFC 6570 or of web frameworks: `{?page,size}`, `{/b}`,
/// `{id?}`. `declared` has the names of path parameters with their styles, which are not expressions. The second value has
/// the names of query parameters.
pub(crate) fn plain(path: &str, declared: &[(&str, &str)]) -> (String, Vec<String>) {
    let (mut plain, mut in_query) = (String::new(), Vec::new());
    let mut rest = path;
    while let Some((before, expression, after)) = next_expression(rest) {
        plain.push_str(before);
        rest = after;
        let style = |name: &str| declared.iter().find(|(found, _)| *found == name).map(|(_, style)| *style);
        let sign = expression.chars().next().filter(|sign| "+#./;?&".contains(*sign));
        if style(expression).is_some() || expression.trim().is_empty() {
            plain.extend(["{", expression, "}"]);
            continue;
        }
        let list = expression.strip_prefix(|first| Some(first) == sign).unwrap_or(expression);
        let names = list.split(',').map(|name| name.split(':').next().unwrap_or_default().trim());
        for (index, name) in names.enumerate() {
            let name = if sign.is_some() { name.trim_end_matches('*') } else { name };
            match sign {
                Some('?' | '&') => in_query.push(name.to_owned()),
                // A fragment is never sent.
                Some('#') => {}
                Some('/') => plain.extend(["/{", name, "}"]),
                Some('.') if style(name) != Some("label") => plain.extend([".{", name, "}"]),
                Some(';') if style(name) != Some("matrix") => plain.extend([";", name, "={", name, "}"]),
                _ => {
                    let bare = name.split('=').next().unwrap_or_default().trim().trim_start_matches('*');
                    plain.extend([if index > 0 { ",{" } else { "{" }, bare.trim_end_matches('?'), "}"]);
                }
            }
        }
    }
    (plain + rest, in_query)
}

/// The text before the first pair of braces, what is inside, and the rest.
fn next_expression(path: &str) -> Option<(&str, &str, &str)> {
    let (before, inside) = path.split_once('{')?;
    let (expression, after) = inside.split_once('}')?;
    Some((before, expression, after))
}

/// The text as a URI has it.
pub(crate) fn literal_of(text: &str) -> String {
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
    use super::{Template, plain};

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
        assert_eq!(found("/a\\b{c}", "/a%5Cbd").as_deref(), Some("c=d"));
        assert_eq!(found("/gr\u{f6}\u{df}e/{a}", "/gr%C3%B6%C3%9Fe/1").as_deref(), Some("a=1"));
        for path in ["/a/c", "/a//c", "/a/1/2/c", "/a/1/c/"] {
            assert_eq!(found("/a/{b}/c", path), None, "{path}");
        }
    }

    #[test]
    fn a_template_is_filled() {
        assert_eq!(Template::new("/a/{b}.{c}").fill(|name| name.repeat(2)), "/a/bb.cc");
    }

    #[test]
    fn expressions_are_names() {
        for (path, expected, in_query) in [
            ("/a/{b}/c.{d}", "/a/{b}/c.{d}", &[][..]),
            ("/one{?page,size*}", "/one", &["page", "size"]),
            ("/a{/b}{.c}{;d}{#e}", "/a/{b}.{c};d={d}", &[]),
            ("/a{.label}{;matrix}/{odd+name}", "/a{label}{matrix}/{odd+name}", &[]),
            ("/a/{id?}/{*rest}/{n:int}/{v=1}/{path+}", "/a/{id}/{rest}/{n}/{v}/{path+}", &[]),
            ("/a/{b", "/a/{b", &[]),
        ] {
            let declared = [("label", "label"), ("matrix", "matrix"), ("odd+name", "simple")];
            assert_eq!(
                plain(path, &declared),
                (expected.to_owned(), in_query.iter().map(ToString::to_string).collect())
            );
        }
    }
}
