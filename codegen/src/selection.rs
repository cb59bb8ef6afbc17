//! Patterns for the operations that are generated, or left out.

use serde::Deserialize;

/// Patterns for operations. `*` stands for any text, in a path for any within a segment, and `**` for several segments.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    /// The names of tags; operations without one have the tag `default`.
    pub tags: Vec<String>,
    /// Operation ids.
    pub operations: Vec<String>,
    /// Paths, as the description writes them: `/accounts/{id}/**`.
    pub paths: Vec<String>,
}

impl Selection {
    /// There is no pattern at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.operations.is_empty() && self.paths.is_empty()
    }

    /// Some pattern stands for the operation, which is under `path` unless it is a webhook.
    pub(crate) fn matches(&self, tags: &[&str], operation: &str, path: Option<&str>) -> bool {
        let any = |patterns: &[String], name: &str| patterns.iter().any(|pattern| matches(pattern, name));
        tags.iter().any(|tag| any(&self.tags, tag))
            || any(&self.operations, operation)
            || path.is_some_and(|path| self.paths.iter().any(|pattern| matches_path(pattern, path)))
    }
}

/// The name of a tag or an operation is one that the pattern stands for.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    is_match(pattern.as_bytes(), name.as_bytes(), false)
}

/// The path is one that the pattern stands for.
pub(crate) fn matches_path(pattern: &str, path: &str) -> bool {
    // What is below a path includes the path.
    pattern.strip_suffix("/**").is_some_and(|above| is_match(above.as_bytes(), path.as_bytes(), true))
        || is_match(pattern.as_bytes(), path.as_bytes(), true)
}

/// In time that grows with both lengths, whatever the pattern is.
fn is_match(pattern: &[u8], text: &[u8], segments: bool) -> bool {
    // Which ends of the text the pattern so far can stand for.
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    let mut rest = pattern;
    while let [first, tail @ ..] = rest {
        let mut next = vec![false; text.len() + 1];
        let (is_star, is_double) = (*first == b'*', tail.first() == Some(&b'*'));
        for end in 0..=text.len() {
            next[end] = if is_star {
                reached[end] || end > 0 && next[end - 1] && (is_double || !segments || text[end - 1] != b'/')
            } else {
                end > 0 && reached[end - 1] && text[end - 1] == *first
            };
        }
        reached = next;
        rest = if is_star && is_double { &tail[1..] } else { tail };
    }
    reached[text.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_text() {
        for (pattern, name, expected) in [
            ("get*", "getAccount", true),
            ("get*", "get", true),
            ("*Account*", "getAccounts", true),
            ("get", "getAccount", false),
            ("", "", true),
            ("*", "größe / ß", true),
            ("**", "a", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn one_star_stays_in_a_segment() {
        for (pattern, path, expected) in [
            ("/a/*", "/a/{id}", true),
            ("/a/*", "/a/{id}/b", false),
            ("/a/*/b", "/a/{id}/b", true),
            ("/a/**", "/a/{id}/b", true),
            ("/a/**", "/a", true),
            ("/a/**", "/ab", false),
            ("/**/b", "/a/c/b", true),
            ("/a*", "/ab/c", false),
        ] {
            assert_eq!(matches_path(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn no_pattern_takes_long() {
        assert!(!matches(&"*a".repeat(200), &"a".repeat(199)));
    }
}
