//! What a proof has seen, beside what it wants.

use std::fmt::{self, Display, Formatter};

/// How a proof ended.
pub enum Outcome {
    /// With figures.
    Measured(Vec<Figure>),
    /// This machine lacks what is named.
    LeftOut(String),
    /// Not at all: what is named tries the same.
    Elsewhere(String),
}

/// One promise, and what was seen of it.
pub struct Figure {
    /// What was done or measured.
    pub what: String,
    /// What is promised; empty for a figure that nothing is promised of.
    pub goal: String,
    /// What was seen.
    pub seen: String,
    /// Whether the promise is kept.
    pub is_kept: bool,
}

impl Figure {
    /// A figure without a promise.
    pub fn plain(what: impl Into<String>, seen: impl Display) -> Self {
        Self { what: what.into(), goal: String::new(), seen: seen.to_string(), is_kept: true }
    }

    /// A count that has to be exactly this.
    pub fn exactly(what: impl Into<String>, goal: u64, seen: u64) -> Self {
        Self { what: what.into(), goal: goal.to_string(), seen: seen.to_string(), is_kept: goal == seen }
    }

    /// A count of what has to happen at least once.
    pub fn some(what: impl Into<String>, seen: u64) -> Self {
        Self { what: what.into(), goal: "≥ 1".to_owned(), seen: seen.to_string(), is_kept: seen > 0 }
    }

    /// A measure that has to be at most this, if it is finite; `unit` follows both numbers.
    pub fn at_most(what: impl Into<String>, goal: f64, seen: f64, unit: &str) -> Self {
        let (what, is_kept) = (what.into(), seen <= goal);
        let goal = if goal.is_finite() { format!("≤ {goal:.1}{unit}") } else { String::new() };
        Self { what, goal, seen: format!("{seen:.2}{unit}"), is_kept }
    }

    /// A measure that has to be at least this; `unit` follows both numbers.
    pub fn at_least(what: impl Into<String>, goal: f64, seen: f64, unit: &str) -> Self {
        let (what, is_kept) = (what.into(), seen >= goal);
        Self { what, goal: format!("≥ {goal:.1}{unit}"), seen: format!("{seen:.2}{unit}"), is_kept }
    }
}

impl Display for Figure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mark = if self.is_kept { " " } else { "✗" };
        write!(formatter, "{mark} {:<64} {:>16}  {}", self.what, self.seen, self.goal)
    }
}
