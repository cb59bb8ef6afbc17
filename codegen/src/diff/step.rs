//! The step between versions that differences ask for, by Semantic Versioning.

use super::change::{Changes, Level, Party};

/// Which part of a version `MAJOR.MINOR.PATCH` rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// Nothing differs for the parties.
    Patch,
    /// Programs for the old description keep working.
    Minor,
    /// A program for the old description may stop working.
    Major,
}

impl Step {
    /// `major`
    pub fn word(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

impl Changes {
    /// The step for what `parties` depend on: the API for [`Party::Callers`], the generated crates for all.
    pub fn step(&self, parties: &[Party]) -> Step {
        let of_parties = self.list.iter().flat_map(|change| &change.effects);
        let levels = of_parties.filter(|effect| parties.contains(&effect.party)).map(|effect| effect.level);
        match levels.max() {
            Some(Level::Breaking) => Step::Major,
            Some(Level::Notice | Level::Harmless) => Step::Minor,
            None => Step::Patch,
        }
    }
}
