//! `pattern`: regular expressions, of which some are written in another language than ECMA-262.

use std::borrow::Cow;

use super::{Context, Node};
use crate::diagnostic::Code;
use crate::location::Location;

impl<'a> Context<'a> {
    /// The expression of a node.
    pub(crate) fn pattern(&mut self, node: &Node<'a>) -> Option<Cow<'a, str>> {
        let text = node.value.as_str()?;
        Some(self.repaired_pattern(text, &node.location))
    }

    /// The expression that is the name of a member.
    pub(crate) fn pattern_of_names(&mut self, text: &'a str, place: &Location) -> Cow<'a, str> {
        self.repaired_pattern(text, &place.name())
    }

    fn repaired_pattern(&mut self, text: &'a str, place: &Location) -> Cow<'a, str> {
        let Some(repaired) = with_ecma_anchors(text) else { return Cow::Borrowed(text) };
        let message = "`\\A`, `\\Z` and `\\z` are letters in ECMA-262, the language of patterns";
        self.report(Code::Repaired, place, message)
            .label(format!("read as `{repaired}`"))
            .help("the start and the end of a text are `^` and `$`");
        Cow::Owned(repaired)
    }
}

/// The expression with `^` for `\A`, and `$` for `\Z` and `\z`, as Ruby, Python, Java and PCRE call them; `None` if it has
/// none of these.
fn with_ecma_anchors(pattern: &str) -> Option<String> {
    let mut repaired = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '[' => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
        if character != '\\' {
            repaired.push(character);
            continue;
        }
        match characters.next() {
            Some('A') if !in_class => repaired.push('^'),
            Some('Z' | 'z') if !in_class => repaired.push('$'),
            escaped => repaired.extend(std::iter::once('\\').chain(escaped)),
        }
    }
    (repaired != pattern).then_some(repaired)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::testing::schemas;

    #[test]
    fn anchors_of_other_languages_are_those_of_ecma() {
        let cases = [
            (r"\A(\*\.)?([a-z]+)\Z", Some(r"^(\*\.)?([a-z]+)$")),
            (r"\Aa\z|b\z", Some("^a$|b$")),
            (r"\\A\\Z\\\A", Some(r"\\A\\Z\\^")),
            (r"[\A\z]", None),
            (r"[\]\A]", None),
            ("^a$", None),
            ("\\", None),
        ];
        for (pattern, expected) in cases {
            assert_eq!(with_ecma_anchors(pattern).as_deref(), expected, "{pattern}");
        }
    }

    #[test]
    fn patterns_of_other_languages_are_reported() {
        let lowered = schemas(&[r"A: { type: string, pattern: '\Aa\Z' }"]);
        assert_eq!(lowered.line("A"), "A = String(pattern ^a$)");
        assert_eq!(lowered.problems, ["W0206 /components/schemas/A/pattern"]);

        let lowered = schemas(&[
            r"A: { patternProperties: { '\Aa': { type: integer } }, propertyNames: { pattern: 'b\z' }, additionalProperties: false }",
        ]);
        assert_eq!(lowered.line("A"), "A = Map<i64>(names pattern ^a pattern b$)");
        let place = "/components/schemas/A";
        let places = [r"patternProperties/\Aa", "propertyNames/pattern"].map(|name| format!("W0206 {place}/{name}"));
        assert_eq!(lowered.problems, places);
    }
}
