//! The result of a document: a row of the table.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Row {
    /// Its name in the manifest.
    pub(super) document: String,
    /// Its outcome.
    pub(super) outcome: Outcome,
    /// Number of operations in the generated crates.
    pub(super) operations: usize,
    /// Number of operations left out.
    pub(super) skipped: usize,
    /// Number of reports of each diagnostic.
    pub(super) diagnostics: BTreeMap<String, usize>,
    /// Lines of both crates.
    pub(super) lines: usize,
    /// Seconds taken to generate both crates.
    pub(super) seconds: f64,
    /// Peak memory of the generating process in MiB; 0 if unknown.
    pub(super) memory_mib: u64,
    /// Seconds taken by `cargo check` of both crates, if they were checked.
    pub(super) check_seconds: Option<f64>,
    /// The result of the wire proof, if it ran.
    #[serde(default)]
    pub(super) wire: Option<Proof>,
    /// The first problem.
    pub(super) reason: String,
}

/// The result of a wire proof.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Proof {
    /// Operations without any problem.
    pub(super) passed: usize,
    /// Operations that share method and path with another one, which gets their requests (W0502).
    pub(super) hidden: usize,
    /// All operations.
    pub(super) all: usize,
    /// Number of failed operations by kind of problem.
    pub(super) causes: BTreeMap<String, usize>,
    /// Number of unsatisfiable schemas that were read as they were probably meant.
    pub(super) meant: usize,
    /// Number of responses that cannot exist, because their schemas contradict themselves.
    #[serde(default)]
    pub(super) impossible: usize,
}

impl Proof {
    /// Whether an operation fails unexpectedly.
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

/// The outcome of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Outcome {
    /// The generator panicked, or took too long.
    #[default]
    Broken,
    /// The document has errors.
    Refused,
    /// Both crates were written, but not compiled.
    Generated,
    /// A crate does not compile, or has a warning.
    Uncompiled,
    /// Both crates compile without a warning.
    Compiled,
}

impl Row {
    /// Whether there are crates to compile.
    pub(super) fn is_generated(&self) -> bool {
        self.outcome == Outcome::Generated
    }

    /// Whether there are crates to run.
    pub(super) fn is_compiled(&self) -> bool {
        self.outcome == Outcome::Compiled
    }

    /// Whether an operation fails unexpectedly on the wire.
    pub(super) fn fails_on_the_wire(&self) -> bool {
        self.wire.as_ref().is_some_and(Proof::is_failure)
    }

    /// `passed/all`, if values were sent.
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

/// The heading above rows of text.
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
