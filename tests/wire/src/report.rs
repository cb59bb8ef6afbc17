//! The report on all operations, as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::capture::Exchange;
use crate::scene::Problem;

/// The maximum number of problems of a kind that are shown for an operation.
const SHOWN: usize = 2;
/// Longer texts are cut.
const LONGEST: usize = 1500;

/// The result of one operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    /// The number of calls.
    pub(crate) calls: usize,
    /// The number of violations that were sent.
    pub(crate) broken: usize,
    /// The rules that were broken.
    pub(crate) rules: BTreeSet<String>,
    /// A request that succeeded.
    pub(crate) valid: Option<Exchange>,
    /// Problems with the seed of their call.
    pub(crate) problems: Vec<(u64, Problem)>,
    /// Whether a request arrived.
    pub(crate) is_reached: bool,
    /// The operation that receives all requests instead, because its template matches the same paths.
    pub(crate) hidden_by: Option<&'static str>,
    /// The parameter for which no value can be sent, so that the operation cannot be called.
    pub(crate) unsendable: Option<String>,
    /// Places whose schemas are read as they were meant.
    pub(crate) meant: Vec<String>,
    /// Answers that are never given, because their schemas contradict themselves.
    pub(crate) impossible: Vec<String>,
}

impl Outcome {
    pub(crate) fn passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// The totals of all operations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    passed: usize,
    /// Operations that no request can reach.
    hidden: usize,
    all: usize,
    /// Number of failures among the others, by kind of problem.
    causes: BTreeMap<&'static str, usize>,
    /// The number of schemas that are read as they were meant.
    meant: usize,
    /// The number of answers without a valid value.
    impossible: usize,
}

impl Summary {
    pub(crate) fn of(outcomes: &[Outcome]) -> Self {
        let mut summary = Self { all: outcomes.len(), ..Self::default() };
        for outcome in outcomes {
            summary.meant += outcome.meant.len();
            summary.impossible += outcome.impossible.len();
            if outcome.passed() {
                summary.passed += 1;
            } else if outcome.hidden_by.is_some() || outcome.unsendable.is_some() {
                summary.hidden += 1;
            } else {
                let kinds: BTreeSet<_> = outcome.problems.iter().map(|(_, problem)| problem.kind).collect();
                for kind in kinds {
                    *summary.causes.entry(kind).or_default() += 1;
                }
            }
        }
        summary
    }

    /// Whether an operation failed that should pass.
    pub(crate) fn is_failure(&self) -> bool {
        self.passed + self.hidden < self.all
    }

    pub(crate) fn json(&self) -> Value {
        let Self { passed, hidden, all, causes, meant, impossible } = self;
        json!({
            "passed": passed, "hidden": hidden, "all": all, "causes": causes, "meant": meant, "impossible": impossible
        })
    }
}

/// The report on all operations.
pub(crate) fn text(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes.iter().filter(|outcome| !outcome.passed()) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{}", outcome.name);
        if let Some(other) = outcome.hidden_by {
            let _ =
                writeln!(text, "  hidden: {other} has the same template and method, and is given its requests (W0502)");
            continue;
        }
        if let Some(place) = &outcome.unsendable {
            let _ = writeln!(text, "  hidden: nothing can be sent for {place}");
            continue;
        }
        let mut by_kind: BTreeMap<&str, Vec<&(u64, Problem)>> = BTreeMap::new();
        for problem in &outcome.problems {
            by_kind.entry(problem.1.kind).or_default().push(problem);
        }
        for (kind, problems) in by_kind {
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
    for outcome in outcomes {
        for place in &outcome.meant {
            let _ = writeln!(text, "as it was meant: {place} of {}", outcome.name);
        }
        for answer in &outcome.impossible {
            let _ = writeln!(text, "nothing is valid for: {answer} of {}", outcome.name);
        }
    }
    let Summary { passed, hidden, all, causes, .. } = Summary::of(outcomes);
    let _ = writeln!(text, "{passed} of {all} operations; {calls} calls, {broken} violations");
    if hidden > 0 {
        let _ = writeln!(text, "{hidden} operations are hidden");
    }
    for (kind, count) in causes {
        let _ = writeln!(text, "{count} operations fail by {kind}");
    }
    text
}
