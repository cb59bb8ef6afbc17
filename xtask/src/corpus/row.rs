//! What came of a document: a row of the table.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What came of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Row {
    /// Its name in the manifest.
    pub(super) document: String,
    /// How it ended.
    pub(super) outcome: Outcome,
    /// Operations that the generated crates have.
    pub(super) operations: usize,
    /// Operations of the document that they do not have.
    pub(super) skipped: usize,
    /// How often each diagnostic was reported.
    pub(super) diagnostics: BTreeMap<String, usize>,
    /// Lines of both crates, those of the runtime included.
    pub(super) lines: usize,
    /// Seconds that the generation of both crates took.
    pub(super) seconds: f64,
    /// The most memory that the generating process held, in MiB; 0 where the system does not say.
    pub(super) memory_mib: u64,
    /// Seconds that `cargo check` of both crates took, when they were checked.
    pub(super) check_seconds: Option<f64>,
    /// Operations whose values came through unchanged, of all that were called.
    #[serde(default)]
    pub(super) wire: Option<Proof>,
    /// The first thing that went wrong.
    pub(super) reason: String,
}

/// What came of the values that were sent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Proof {
    /// Operations without any problem.
    pub(super) passed: usize,
    /// Operations that share method and path with another one, which is given their requests (W0502).
    pub(super) hidden: usize,
    /// All operations.
    pub(super) all: usize,
    /// How many operations fail by each kind of problem.
    pub(super) causes: BTreeMap<String, usize>,
    /// Schemas that were taken as they were meant, because nothing satisfies them as they are written.
    pub(super) meant: usize,
    /// Answers that are never given, because their schemas contradict themselves.
    #[serde(default)]
    pub(super) impossible: usize,
}

impl Proof {
    /// Some operation fails, and should not.
    pub(super) fn is_failure(&self) -> bool {
        self.passed + self.hidden < self.all
    }

    /// "2 by request differs, 1 hidden"
    pub(super) fn causes(&self) -> String {
        let causes = self.causes.iter().map(|(kind, count)| format!("{count} by {kind}"));
        let hidden = (self.hidden > 0).then(|| format!("{} hidden", self.hidden));
        let meant = (self.meant > 0).then(|| format!("{} schemas as meant", self.meant));
        let impossible = (self.impossible > 0).then(|| format!("{} impossible answers", self.impossible));
        causes.chain(hidden).chain(meant).chain(impossible).collect::<Vec<_>>().join(", ")
    }
}

/// How a document ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Outcome {
    /// The generator panicked, or took too long.
    #[default]
    Broken,
    /// Diagnostics say what is wrong with the document.
    Refused,
    /// Both crates were written; they have not been compiled.
    Generated,
    /// A crate does not compile, or not without a warning.
    Uncompiled,
    /// Both crates compile without a warning.
    Compiled,
}

impl Row {
    /// There are crates to compile.
    pub(super) fn is_generated(&self) -> bool {
        self.outcome == Outcome::Generated
    }

    /// There are crates to run.
    pub(super) fn is_compiled(&self) -> bool {
        self.outcome == Outcome::Compiled
    }

    /// Some operation fails on the wire, and should not.
    pub(super) fn fails_on_the_wire(&self) -> bool {
        self.wire.as_ref().is_some_and(Proof::is_failure)
    }

    /// `passed/all`, where values were sent.
    pub(super) fn wire(&self) -> String {
        self.wire.as_ref().map_or_else(String::new, |wire| format!("{}/{}", wire.passed, wire.all))
    }
}

impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Broken => "BROKEN",
            Self::Refused => "refused",
            Self::Generated => "generated",
            Self::Uncompiled => "UNCOMPILED",
            Self::Compiled => "compiled",
        }
    }
}

/// The heading over rows as text.
pub(super) const HEADING: &str = "document                      outcome     operations skipped diagnostics   lines  seconds    MiB  check      wire  reason";

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let diagnostics: usize = self.diagnostics.values().sum();
        let check = self.check_seconds.map_or_else(String::new, |seconds| format!("{seconds:.1}"));
        write!(
            f,
            "{:<29} {:<11} {:>10} {:>7} {:>11} {:>7} {:>8.2} {:>6} {:>6} {:>9}  {}",
            self.document,
            self.outcome.name(),
            self.operations,
            self.skipped,
            diagnostics,
            self.lines,
            self.seconds,
            self.memory_mib,
            check,
            self.wire(),
            self.reason.lines().next().unwrap_or_default(),
        )
    }
}
