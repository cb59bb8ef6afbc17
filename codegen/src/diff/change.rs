//! One difference between two descriptions, and whom it breaks.

use super::rule::Rule;
use super::site::Direction;
use crate::ir::{Method, Operation};
use crate::location::Location;

/// Who depends on a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Party {
    /// Programs that send what the old description allows and read what it promises.
    Callers,
    /// Implementations of the generated traits.
    Servers,
    /// Code that names the types and methods of the generated crates.
    Rust,
}

impl Party {
    /// Everyone.
    pub const ALL: [Self; 3] = [Self::Callers, Self::Servers, Self::Rust];

    /// `callers`
    pub fn word(self) -> &'static str {
        match self {
            Self::Callers => "callers",
            Self::Servers => "servers",
            Self::Rust => "rust",
        }
    }
}

/// How bad a difference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// No action is needed.
    Harmless,
    /// Generated code keeps working, but behaviour may surprise.
    Notice,
    /// Something that works stops working.
    Breaking,
}

impl Level {
    /// `breaking`
    pub fn word(self) -> &'static str {
        match self {
            Self::Harmless => "harmless",
            Self::Notice => "notice",
            Self::Breaking => "breaking",
        }
    }
}

/// What a difference means for a party.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effect {
    /// How bad.
    pub level: Level,
    /// For whom.
    pub party: Party,
    /// Why.
    pub reason: String,
}

/// Which of the two descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edition {
    /// The one that is in use.
    Old,
    /// The one that takes its place.
    New,
}

/// An operation that a difference reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reached {
    /// Its method.
    pub method: Method,
    /// Its path template.
    pub path: String,
    /// Its operationId.
    pub id: String,
}

impl Reached {
    pub(super) fn new(operation: &Operation) -> Self {
        Self { method: operation.method.clone(), path: operation.path.clone(), id: operation.name.wire.clone() }
    }
}

/// One difference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change {
    /// Which kind of difference.
    pub rule: Rule,
    /// What differs: lower case, no full stop, names in backquotes.
    pub message: String,
    /// What it means for each party; empty if it has no effect.
    pub effects: Vec<Effect>,
    /// Which description `location` is in.
    pub edition: Edition,
    /// Where.
    pub location: Location,
    /// The operations it reaches, in the order of the description.
    pub operations: Vec<Reached>,
    /// The directions in which the value is sent.
    pub(super) direction: Direction,
}

impl Change {
    /// The worst that it does.
    pub fn level(&self) -> Level {
        self.effects.iter().map(|effect| effect.level).max().unwrap_or(Level::Harmless)
    }

    /// Whether it breaks `party`.
    pub fn breaks(&self, party: Party) -> bool {
        self.effects.iter().any(|effect| effect.level == Level::Breaking && effect.party == party)
    }

    pub(super) fn breaking(&mut self, party: Party, reason: impl Into<String>) -> &mut Self {
        self.effect(Level::Breaking, party, reason)
    }

    pub(super) fn notice(&mut self, party: Party, reason: impl Into<String>) -> &mut Self {
        self.effect(Level::Notice, party, reason)
    }

    pub(super) fn harmless(&mut self, party: Party, reason: impl Into<String>) -> &mut Self {
        self.effect(Level::Harmless, party, reason)
    }

    /// An effect on values that are sent to the server.
    pub(super) fn in_requests(&mut self, level: Level, party: Party, reason: &str) -> &mut Self {
        if self.direction.request { self.effect(level, party, reason) } else { self }
    }

    /// An effect on values that are sent to the caller.
    pub(super) fn in_responses(&mut self, level: Level, party: Party, reason: &str) -> &mut Self {
        if self.direction.response { self.effect(level, party, reason) } else { self }
    }

    /// Marks code that names it as broken; implementations of a trait count if an operation reaches it.
    pub(super) fn breaking_code(&mut self, reason: &str) -> &mut Self {
        if !self.operations.is_empty() {
            self.breaking(Party::Servers, reason);
        }
        self.breaking(Party::Rust, reason)
    }

    fn effect(&mut self, level: Level, party: Party, reason: impl Into<String>) -> &mut Self {
        self.effects.push(Effect { level, party, reason: reason.into() });
        self
    }
}

/// All differences between two descriptions.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub(super) list: Vec<Change>,
}

impl Changes {
    /// In order: differences of operations (as the new description lists them), of types, of the whole
    /// description.
    pub fn iter(&self) -> impl Iterator<Item = &Change> {
        self.list.iter()
    }

    /// Whether the descriptions look the same to every party.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a difference breaks a party that is not in `allowed`.
    pub fn breaks(&self, allowed: &[Party]) -> bool {
        let counts = |party: &Party| !allowed.contains(party);
        self.list
            .iter()
            .any(|change| Party::ALL.iter().filter(|party| counts(party)).any(|party| change.breaks(*party)))
    }

    /// The number of differences of this level.
    pub fn count(&self, level: Level) -> usize {
        self.list.iter().filter(|change| change.level() == level).count()
    }

    /// Prefixes the paths of an edition with the folder that the description was read from.
    pub fn below(&mut self, edition: Edition, folder: &str) {
        for change in self.list.iter_mut().filter(|change| change.edition == edition) {
            change.location = change.location.below(folder);
        }
    }
}
