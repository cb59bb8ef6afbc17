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

    /// The expression occurs in `text`. One that cannot be compiled, which the generator leaves out, occurs everywhere.
    pub fn is_match(&self, text: &str) -> bool {
        let compiled =
            self.compiled.get_or_init(|| Regex::with_flags(self.text, "u").or_else(|_| Regex::new(self.text)).ok());
        compiled.as_ref().is_none_or(|expression| expression.find(text).is_some())
    }
}
