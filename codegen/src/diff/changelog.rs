//! Differences as an entry of a changelog, in Markdown.

use std::fmt::Write as _;

use super::change::{Change, Changes, Effect, Level, Party};

impl Changes {
    /// The entry for the users of the API, a list for each level, in the format of
    /// [Keep a Changelog](https://keepachangelog.com).
    pub fn changelog(&self) -> String {
        let step = self.step(&[Party::Callers]).word();
        let mut text = format!("## [Unreleased]\n\nThe next version of the API is a {step} version.\n");
        let levels = [(Level::Breaking, "Breaking"), (Level::Notice, "Changed"), (Level::Harmless, "Added")];
        for (level, title) in levels {
            let of_level = self.list.iter().filter(|change| worst(change).is_some_and(|worst| worst.level == level));
            let lines: Vec<_> = of_level.map(line).collect();
            if !lines.is_empty() {
                let _ = writeln!(text, "\n### {title}\n\n{}", lines.join("\n"));
            }
        }
        text
    }
}

/// The worst effect on callers.
fn worst(change: &Change) -> Option<&Effect> {
    let effects = change.effects.iter().filter(|effect| effect.party == Party::Callers);
    effects.max_by_key(|effect| effect.level)
}

/// A list item: the operations, the difference, and what it means for callers.
fn line(change: &Change) -> String {
    let place = match change.operations.as_slice() {
        [] => String::new(),
        [one] => format!("`{} {}`: ", one.method.as_str(), one.path),
        [one, rest @ ..] => format!("`{} {}` and {} more: ", one.method.as_str(), one.path, rest.len()),
    };
    let effect = worst(change).filter(|effect| effect.level > Level::Harmless);
    let reason = effect.map(|effect| format!(" ({})", effect.reason)).unwrap_or_default();
    format!("- {place}{}{reason}", change.message)
}
