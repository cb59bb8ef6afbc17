//! `pattern`: regular expressions, translated to ECMA-262 where needed.

use std::borrow::Cow;

use regress::Regex;

use crate::diagnostic::Code;
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::reporter::Reporter;

/// The expression of a node; `None` if it is invalid.
pub(crate) fn read_pattern<'a>(reporter: &mut Reporter<'_>, node: &Node<'a>) -> Option<Cow<'a, str>> {
    let pattern = repaired_pattern(reporter, node.value.as_str()?, &node.location);
    is_expression(reporter, &pattern, &node.location).then_some(pattern)
}

/// The expression in a member name.
pub(crate) fn name_pattern<'a>(reporter: &mut Reporter<'_>, text: &'a str, place: &Location) -> Cow<'a, str> {
    let place = place.name();
    let pattern = repaired_pattern(reporter, text, &place);
    is_expression(reporter, &pattern, &place);
    pattern
}

fn repaired_pattern<'a>(reporter: &mut Reporter<'_>, text: &'a str, place: &Location) -> Cow<'a, str> {
    let repaired = in_ecma(text);
    if repaired == text {
        return Cow::Borrowed(text);
    }
    reporter
        .report(Code::Repaired, place, "the pattern is not written in ECMA-262, the language of patterns")
        .label(format!("read as `{repaired}`"))
        .help(
            "use `^` and `$` for the ends of a text, `(?i:…)` for flags, quantifiers with a minimum, and no delimiters",
        );
    Cow::Owned(repaired)
}

/// Reports expressions that no server can check.
fn is_expression(reporter: &mut Reporter<'_>, pattern: &str, place: &Location) -> bool {
    let Err(error) = compiled(pattern) else { return true };
    let message = format!("the pattern is not a regular expression of ECMA-262: {error}");
    reporter.report(Code::UncheckedConstraint, place, message).label("any text is accepted");
    false
}

/// Whether the text matches; `None` if only a backtracking engine could tell, which may take exponential
/// time.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    Some(regex::Regex::new(&in_ecma(pattern)).ok()?.is_match(text))
}

fn compiled(pattern: &str) -> Result<Regex, regress::Error> {
    Regex::with_flags(pattern, "u").or_else(|_| Regex::new(pattern))
}

/// The expression in ECMA-262 syntax.
fn in_ecma(pattern: &str) -> String {
    let (pattern, flags) = without_delimiters(pattern).or_else(|| without_flags(pattern)).unwrap_or((pattern, ""));
    let pattern = in_words_of_ecma(&pattern.replace("(?P<", "(?<"));
    if flags.is_empty() { pattern } else { format!("(?{flags}:{pattern})") }
}

/// `/^a$/i` in JavaScript and Perl syntax: with the slashes it would match nothing.
fn without_delimiters(pattern: &str) -> Option<(&str, &str)> {
    let (inner, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    let is_whole = inner.starts_with('^') && inner.ends_with('$');
    let flags = flags.trim_end_matches(['g', 'u']);
    (is_whole && flags.chars().all(is_flag)).then_some((inner, flags))
}

/// `(?i)a` in the syntax of most other languages.
fn without_flags(pattern: &str) -> Option<(&str, &str)> {
    let (flags, rest) = pattern.strip_prefix("(?")?.split_once(')')?;
    flags.chars().all(is_flag).then_some((rest, flags))
}

fn is_flag(character: char) -> bool {
    matches!(character, 'i' | 'm' | 's')
}

/// `,3}` of `a{,3}`, Python and Ruby syntax for `a{0,3}`.
fn is_rest_of_most(text: &str) -> bool {
    let most = text.strip_prefix(',').and_then(|text| text.split_once('}'));
    most.is_some_and(|(most, _)| !most.is_empty() && most.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Replaces `\A` by `^`, `\Z` and `\z` by `$`, as in Ruby, Python, Java and PCRE, and `{,3}` by `{0,3}`.
fn in_words_of_ecma(pattern: &str) -> String {
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
            if character == '{' && !in_class && is_rest_of_most(characters.as_str()) {
                repaired.push('0');
            }
            continue;
        }
        match characters.next() {
            Some('A') if !in_class => repaired.push('^'),
            Some('Z' | 'z') if !in_class => repaired.push('$'),
            escaped => repaired.extend(std::iter::once('\\').chain(escaped)),
        }
    }
    repaired
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_other_languages_are_those_of_ecma() {
        let cases = [
            (r"\A(\*\.)?([a-z]+)\Z", r"^(\*\.)?([a-z]+)$"),
            (r"\Aa\z|b\z", "^a$|b$"),
            (r"\\A\\Z\\\A", r"\\A\\Z\\^"),
            ("/^[a-z]$/", "^[a-z]$"),
            (r"/^\d+\/\d+$/i", r"(?i:^\d+\/\d+$)"),
            ("(?i)^a$", "(?i:^a$)"),
            ("(?P<year>[0-9]{4})", "(?<year>[0-9]{4})"),
            ("^a{,3}$", "^a{0,3}$"),
        ];
        for (pattern, expected) in cases {
            assert_eq!(in_ecma(pattern), expected, "{pattern}");
        }
        let same = [
            "[{,3}]", r"\{,3}", "a{,}", r"[\A\z]", r"[\]\A]", "^a$", "\\", "/a/", "/^a$", "/^a$/x", "(?:a)b", "(?=a)",
            "(?i:a)", "/",
        ];
        for pattern in same {
            assert_eq!(in_ecma(pattern), pattern);
        }
    }

    #[test]
    fn no_pattern_takes_for_ever() {
        let text = "a".repeat(50) + "!";
        assert_eq!(matches("^(a+)+$", &text), Some(false));
        assert_eq!(matches("^(.+)*x$", &text), Some(false));
        assert_eq!(matches(r"^(a+)+$(?!\1)", &text), None);
        assert_eq!(matches(r"\Aa+!\Z", &text), Some(true));
    }
}
