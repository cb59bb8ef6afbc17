//! Patterns that select operations.

use serde::Deserialize;

/// Patterns for operations. `*` matches any text, in a path any text within a segment; `**` matches several
/// segments.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    /// Names of tags; operations without one have the tag `default`.
    #[cfg_attr(feature = "cli", schemars(example = ["accounts"]))]
    pub tags: Vec<String>,
    /// `operationId`s.
    #[cfg_attr(feature = "cli", schemars(example = ["delete*"]))]
    pub operations: Vec<String>,
    /// Paths as the description writes them: `/accounts/{id}/**`.
    #[cfg_attr(feature = "cli", schemars(example = ["/notes/*", "/internal/**"]))]
    pub paths: Vec<String>,
}

impl Selection {
    /// Whether there is no pattern.
    pub(crate) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.operations.is_empty() && self.paths.is_empty()
    }

    /// Whether some pattern matches the operation; webhooks have no `path`.
    pub(crate) fn matches(&self, tags: &[&str], operation: &str, path: Option<&str>) -> bool {
        let any = |patterns: &[String], name: &str| patterns.iter().any(|pattern| matches(pattern, name));
        tags.iter().any(|tag| any(&self.tags, tag))
            || any(&self.operations, operation)
            || path.is_some_and(|path| self.paths.iter().any(|pattern| matches_path(pattern, path)))
    }
}

/// Whether the pattern matches the name of a tag or an operation.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    is_match(pattern.as_bytes(), name.as_bytes(), false)
}

/// Whether the pattern matches the path.
pub(crate) fn matches_path(pattern: &str, path: &str) -> bool {
    // `/**` includes the path itself.
    pattern.strip_suffix("/**").is_some_and(|above| is_match(above.as_bytes(), path.as_bytes(), true))
        || is_match(pattern.as_bytes(), path.as_bytes(), true)
}

/// Glob matching in time proportional to the product of both lengths.
fn is_match(pattern: &[u8], text: &[u8], segments: bool) -> bool {
    // Which prefixes of the text the pattern so far can match.
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
