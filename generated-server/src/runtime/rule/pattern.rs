//! `pattern`

use std::sync::OnceLock;

use regress::Regex;

/// An ECMA-262 regular expression, compiled when it is first used.
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// The expression as the description has it.
    pub const fn new(text: &'static str) -> Self {
        Self { text, compiled: OnceLock::new() }
    }

    /// The expression as the description has it.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// The expression occurs in `text`. One that cannot be compiled, which the generator refuses, occurs everywhere.
    pub fn is_match(&self, text: &str) -> bool {
        let compiled =
            self.compiled.get_or_init(|| Regex::with_flags(self.text, "u").or_else(|_| Regex::new(self.text)).ok());
        compiled.as_ref().is_none_or(|expression| expression.find(text).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_not_anchored_and_know_unicode() {
        assert!(Pattern::new("b+").is_match("abc"));
        assert!(Pattern::new("^\\d{2}$").is_match("42"));
        assert!(!Pattern::new("^\\d{2}$").is_match("42\n"));
        assert!(Pattern::new("^.$").is_match("😀"));
        assert!(Pattern::new("^\\p{L}+$").is_match("Zürich"));
        assert!(Pattern::new("^(?!bad)").is_match("good"));
    }

    #[test]
    fn a_pattern_that_cannot_be_compiled_matches() {
        assert!(Pattern::new("(").is_match("anything"));
    }
}
