//! `pattern`

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use regress::Regex;

use super::linear_pattern;

/// An ECMA-262 regular expression, compiled when it is first used.
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    compiled: OnceLock<Arc<Compiled>>,
}

/// The engine that matches a pattern.
#[derive(Debug)]
pub(super) enum Compiled {
    /// Fast if matching takes linear time.
    Backtracking(Regex),
    /// Always linear, but without look-around and back-references.
    Linear(regex_lite::Regex),
    /// The expression cannot be compiled.
    Nothing,
}

impl Pattern {
    /// An expression as the description writes it.
    pub const fn new(text: &'static str) -> Self {
        Self { text, compiled: OnceLock::new() }
    }

    /// The expression as the description writes it.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// Whether the expression matches somewhere in `text`. One that cannot be compiled matches everything;
    /// the generator leaves such patterns out.
    pub fn is_match(&self, text: &str) -> bool {
        self.compiled.get_or_init(|| Compiled::shared(self.text)).is_match(text)
    }
}

impl Compiled {
    /// Equal expressions are compiled once.
    fn shared(text: &'static str) -> Arc<Self> {
        static ALL: LazyLock<Mutex<HashMap<&str, Arc<Compiled>>>> = LazyLock::new(Mutex::default);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(text).or_insert_with(|| Arc::new(Self::new(text))))
    }

    /// Compiles an expression.
    pub(super) fn new(text: &str) -> Self {
        let Ok(backtracking) = Regex::with_flags(text, "u").or_else(|_| Regex::new(text)) else { return Self::Nothing };
        let translated = linear_pattern::translate(text).filter(|translated| translated.is_slow);
        match translated.and_then(|translated| regex_lite::Regex::new(&translated.text).ok()) {
            Some(linear) => Self::Linear(linear),
            None => Self::Backtracking(backtracking),
        }
    }

    /// Whether it matches somewhere in `text`; an expression that cannot be compiled matches everything.
    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Backtracking(backtracking) => backtracking.find(text).is_some(),
            Self::Linear(linear) => linear.is_match(text),
            Self::Nothing => true,
        }
    }
}
