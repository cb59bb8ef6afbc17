//! `pattern`

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use regress::Regex;

use super::linear;

/// How long a text may be, in bytes, for which a few loops one after the other are no work. A text of a request has any
/// length.
const SHORT: usize = 100;

/// An ECMA-262 regular expression, compiled when it is first used.
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    compiled: OnceLock<Arc<Compiled>>,
}

/// What matches the texts. Backtracking is quick where it does not go wrong; the other engine takes a time that is
/// proportional to the text, but knows neither what lies ahead or behind nor what has been matched before.
#[derive(Debug)]
struct Compiled {
    backtracking: Option<Regex>,
    linear: Option<regex_lite::Regex>,
    /// It is for the other engine, however short the text.
    is_slow: bool,
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
        let compiled = self.compiled.get_or_init(|| Compiled::shared(self.text));
        match (&compiled.linear, &compiled.backtracking) {
            (Some(linear), _) if compiled.is_slow || text.len() > SHORT => linear.is_match(text),
            (_, Some(backtracking)) => backtracking.find(text).is_some(),
            (_, None) => true,
        }
    }
}

impl Compiled {
    /// Equal expressions are compiled once.
    fn shared(text: &'static str) -> Arc<Self> {
        static ALL: LazyLock<Mutex<HashMap<&str, Arc<Compiled>>>> = LazyLock::new(Mutex::default);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(text).or_insert_with(|| Arc::new(Self::new(text))))
    }

    fn new(text: &str) -> Self {
        let backtracking = Regex::with_flags(text, "u").or_else(|_| Regex::new(text)).ok();
        let translated = backtracking.as_ref().and_then(|_| linear::translate(text));
        let is_slow = translated.as_ref().is_some_and(|translated| translated.is_slow);
        let linear = translated.and_then(|translated| regex_lite::Regex::new(&translated.text).ok());
        Self { backtracking, linear, is_slow }
    }
}
