//! What came of the operations, as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::capture::Exchange;
use crate::scene::Problem;

/// How many problems of a kind are shown for an operation.
const SHOWN: usize = 2;
/// Longer texts are cut.
const LONGEST: usize = 1500;

/// What came of one operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    /// The calls that were made.
    pub(crate) calls: usize,
    /// The violations that were sent.
    pub(crate) broken: usize,
    /// The rules that have been broken.
    pub(crate) rules: BTreeSet<String>,
    /// A request that went well.
    pub(crate) valid: Option<Exchange>,
    /// By kind, with the seed.
    pub(crate) problems: Vec<(u64, Problem)>,
}

impl Outcome {
    pub(crate) fn passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// The report over all operations.
pub(crate) fn text(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|outcome| !outcome.passed()) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{}", outcome.name);
        let mut by_kind: BTreeMap<&str, Vec<&(u64, Problem)>> = BTreeMap::new();
        for problem in &outcome.problems {
            by_kind.entry(problem.1.kind).or_default().push(problem);
        }
        for (kind, problems) in by_kind {
            *kinds.entry(kind).or_default() += 1;
            for (seed, problem) in problems.iter().take(SHOWN) {
                let shown = problem.text.floor_char_boundary(LONGEST);
                let _ = writeln!(text, "  {kind} (seed {seed}): {}", &problem.text[..shown]);
            }
            if problems.len() > SHOWN {
                let _ = writeln!(text, "  {kind}: {} more", problems.len() - SHOWN);
            }
        }
    }
    let calls: usize = outcomes.iter().map(|outcome| outcome.calls).sum();
    let broken: usize = outcomes.iter().map(|outcome| outcome.broken).sum();
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let _ = writeln!(text, "{passed} of {} operations; {calls} calls, {broken} violations", outcomes.len());
    for (kind, count) in kinds {
        let _ = writeln!(text, "{count} operations fail by {kind}");
    }
    text
}
