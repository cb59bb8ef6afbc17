//! Progress of an import or a copy, shown on a terminal only.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

use crate::store::transfer::Progress;

/// A bar that counts rows.
#[derive(Debug)]
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar, unless it is disabled or there is no terminal.
    pub(super) fn new(quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {human_pos} rows, {per_sec}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.set_position(0);
    }

    fn rows(&self, rows: usize) {
        self.0.inc(rows as u64);
    }
}
