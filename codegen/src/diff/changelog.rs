//! Differences as an entry of a changelog, in Markdown.

use std::fmt::Write as _;

use super::change::{Change, Changes, Effect, Level, Party};
use super::rule::Rule;

/// The sections of an entry, in order.
const SECTIONS: [&str; 5] = ["Breaking", "Changed", "Deprecated", "Removed", "Added"];

impl Changes {
    /// The entry for the users of the API, in the format of [Keep a Changelog](https://keepachangelog.com);
    /// none if nothing differs for them.
    pub fn changelog(&self) -> Option<String> {
        let lines: Vec<(&str, String)> = self.list.iter().filter_map(line).collect();
        if lines.is_empty() {
            return None;
        }
        let step = self.step(&[Party::Callers]).word();
        let mut text = format!("## [Unreleased]\n\nThe next version of the API is a {step} version.\n");
        for title in SECTIONS {
            let of_section = lines.iter().filter(|(section, _)| *section == title).map(|(_, line)| line.as_str());
            let of_section: Vec<_> = of_section.collect();
            if !of_section.is_empty() {
                let _ = writeln!(text, "\n### {title}\n\n{}", of_section.join("\n"));
            }
        }
        Some(text)
    }
}

/// The section and a list item: the operations, the difference, and what it means for callers.
fn line(change: &Change) -> Option<(&'static str, String)> {
    let effects: Vec<&Effect> = change.effects.iter().filter(|effect| effect.party == Party::Callers).collect();
    let worst = effects.iter().map(|effect| effect.level).max()?;
    let place = match change.operations.as_slice() {
        [] => String::new(),
        [one] => format!("`{} {}`: ", one.method.as_str(), one.path),
        [one, rest @ ..] => format!("`{} {}` and {} more: ", one.method.as_str(), one.path, rest.len()),
    };
    let mut text = format!("- {place}{}", change.message);
    if worst > Level::Harmless {
        let reasons: Vec<_> = effects.iter().map(|effect| effect.reason.as_str()).collect();
        let _ = write!(text, " ({})", reasons.join("; "));
    }
    Some((section(change.rule, worst), text))
}

fn section(rule: Rule, worst: Level) -> &'static str {
    let name = rule.name();
    if worst == Level::Breaking {
        "Breaking"
    } else if rule == Rule::Deprecated {
        "Deprecated"
    } else if name.ends_with("-removed") {
        "Removed"
    } else if name.ends_with("-added") {
        "Added"
    } else {
        "Changed"
    }
}
