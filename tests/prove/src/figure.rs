//! Figures of a proof, with their goals.

use std::fmt::{self, Display, Formatter};

/// The result of a proof.
pub enum Outcome {
    /// Figures.
    Measured(Vec<Figure>),
    /// This machine lacks something.
    LeftOut(String),
    /// Not run: another proof covers it.
    Elsewhere(String),
}

/// A goal, and the measured value.
pub struct Figure {
    /// What was measured.
    pub what: String,
    /// The goal; empty if there is none.
    pub goal: String,
    /// The value.
    pub seen: String,
    /// Whether the goal is met.
    pub is_kept: bool,
}

impl Figure {
    /// A figure without a goal.
    pub fn plain(what: impl Into<String>, seen: impl Display) -> Self {
        Self { what: what.into(), goal: String::new(), seen: seen.to_string(), is_kept: true }
    }

    /// A count that must equal the goal.
    pub fn exactly(what: impl Into<String>, goal: u64, seen: u64) -> Self {
        Self { what: what.into(), goal: goal.to_string(), seen: seen.to_string(), is_kept: goal == seen }
    }

    /// A count that must be at least 1.
    pub fn some(what: impl Into<String>, seen: u64) -> Self {
        Self { what: what.into(), goal: "≥ 1".to_owned(), seen: seen.to_string(), is_kept: seen > 0 }
    }

    /// A finite measure that must be at most the goal; `unit` follows both numbers.
    pub fn at_most(what: impl Into<String>, goal: f64, seen: f64, unit: &str) -> Self {
        let (what, is_kept) = (what.into(), seen <= goal);
        let goal = if goal.is_finite() { format!("≤ {goal:.1}{unit}") } else { String::new() };
        Self { what, goal, seen: format!("{seen:.2}{unit}"), is_kept }
    }

    /// A measure that must be at least the goal; `unit` follows both numbers.
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
