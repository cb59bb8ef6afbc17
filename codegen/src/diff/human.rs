//! Differences as text: grouped by operation, each with the lines it points at, with counts at the end.

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{Element, Group};

use super::change::{Change, Changes, Effect, Level, Party, Reached};
use crate::diagnostic::{Position, Sources, Style};
use crate::files::Files;

/// Maximum number of operations named in a heading.
const NAMED: usize = 3;

impl Changes {
    /// Renders every difference; `files` are those of both descriptions.
    pub fn render(&self, files: &dyn Files, style: Style) -> String {
        let sources = Sources::new(self.list.iter().map(|change| &change.location), files);
        let mut text = String::new();
        for (operations, changes) in self.groups() {
            text.push_str(&heading(operations));
            text.push_str("\n\n");
            for change in changes {
                text.push_str(&style.render(message(change, &sources)));
                text.push_str("\n\n");
            }
        }
        text + &self.summary() + "\n"
    }

    /// Each difference with the bytes it points at, if its file can be read.
    pub fn locate(&self, files: &dyn Files) -> Vec<(&Change, Option<Range<Position>>)> {
        let sources = Sources::new(self.list.iter().map(|change| &change.location), files);
        self.list.iter().map(|change| (change, sources.range(&change.location))).collect()
    }

    /// Groups differences that reach the same operations, the worst of each group first.
    fn groups(&self) -> Vec<(&[Reached], Vec<&Change>)> {
        let mut groups: Vec<(&[Reached], Vec<&Change>)> = Vec::new();
        for change in &self.list {
            match groups.iter_mut().find(|(operations, _)| *operations == change.operations) {
                Some((_, changes)) => changes.push(change),
                None => groups.push((&change.operations, vec![change])),
            }
        }
        for (_, changes) in &mut groups {
            changes.sort_by_key(|change| std::cmp::Reverse(change.level()));
        }
        groups
    }

    fn summary(&self) -> String {
        if self.list.is_empty() {
            return "no difference".to_owned();
        }
        let parties = Party::ALL.map(|party| {
            let count = self.list.iter().filter(|change| change.breaks(party)).count();
            format!("{} {count}", party.word())
        });
        format!(
            "{}: {} breaking ({}), {}, {} harmless\nnext version: {} for the API, {} for the generated crates",
            counted(self.list.len(), "difference"),
            self.count(Level::Breaking),
            parties.join(", "),
            counted(self.count(Level::Notice), "notice"),
            self.count(Level::Harmless),
            self.step(&[Party::Callers]).word(),
            self.step(&Party::ALL).word(),
        )
    }
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn heading(operations: &[Reached]) -> String {
    let name = |reached: &Reached| format!("{} {}", reached.method.as_str(), reached.path);
    match operations {
        [] => "The description as a whole".to_owned(),
        [one] => format!("{} ({})", name(one), one.id),
        several => {
            let named: Vec<_> = several.iter().take(NAMED).map(name).collect();
            let mut text = named.join(", ");
            if several.len() > NAMED {
                // Writing to a String cannot fail.
                let _ = write!(text, " and {} more", several.len() - NAMED);
            }
            text
        }
    }
}

fn message<'a>(change: &'a Change, sources: &'a Sources) -> Group<'a> {
    let level = match change.level() {
        Level::Breaking => annotate_snippets::Level::ERROR.with_name("breaking"),
        Level::Notice => annotate_snippets::Level::WARNING.with_name("notice"),
        Level::Harmless => annotate_snippets::Level::INFO.with_name("harmless"),
    };
    let title = level.primary_title(change.message.as_str()).id(change.rule.name());
    let mut elements = sources.excerpts(&change.location, None, &[]);
    elements.extend(effects(&change.effects).into_iter().map(|(label, reason)| {
        let note: Element<'_> = annotate_snippets::Level::NOTE.with_name(label).message(reason).into();
        note
    }));
    title.elements(elements)
}

/// ``breaks servers, rust`` and why, for each reason.
fn effects(effects: &[Effect]) -> Vec<(String, &str)> {
    let mut list: Vec<(Level, Vec<&str>, &str)> = Vec::new();
    for effect in effects {
        match list.iter_mut().find(|(level, _, reason)| *level == effect.level && *reason == effect.reason) {
            Some((_, parties, _)) => parties.push(effect.party.word()),
            None => list.push((effect.level, vec![effect.party.word()], &effect.reason)),
        }
    }
    let label = |level: Level, parties: &[&str]| match level {
        Level::Breaking => format!("breaks {}", parties.join(", ")),
        Level::Notice | Level::Harmless => format!("for {}", parties.join(", ")),
    };
    list.into_iter().map(|(level, parties, reason)| (label(level, &parties), reason)).collect()
}
