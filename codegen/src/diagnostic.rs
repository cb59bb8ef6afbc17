//! What is wrong with a description, where, and what to do about it.

mod code;
mod excerpt;
mod located;
mod message;
mod nearest;
mod place;
mod policy;

pub use code::{Code, UnknownCode};
pub(crate) use excerpt::Sources;
pub use located::{Located, Position};
pub use message::Style;
pub(crate) use nearest::nearest;
pub use policy::{NoRepair, Policies, Policy};

use foldhash::HashSet;

use crate::location::Location;

/// One problem of a description.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Which kind of problem.
    pub code: Code,
    /// Whether it stops the generation.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop, names in backquotes.
    pub message: String,
    /// Where.
    pub location: Location,
    /// What to say at that place.
    pub label: Option<String>,
    /// Other places that have to do with it, with what to say there.
    pub related: Vec<(Location, String)>,
    /// Ways out.
    pub help: Vec<String>,
    /// Background.
    pub notes: Vec<String>,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Code is generated; what was assumed or left out is said.
    Warning,
}

impl Diagnostic {
    /// Says something at the place itself.
    pub fn label(&mut self, text: impl Into<String>) -> &mut Self {
        self.label = Some(text.into());
        self
    }

    /// Points at another place too.
    pub fn related(&mut self, location: &Location, text: impl Into<String>) -> &mut Self {
        self.related.push((location.clone(), text.into()));
        self
    }

    /// Offers a way out.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help.push(text.into());
        self
    }

    /// Adds background.
    pub fn note(&mut self, text: impl Into<String>) -> &mut Self {
        self.notes.push(text.into());
        self
    }
}

/// The problems found so far. A stage reports all it finds; it returns `None` when one of them is an error.
#[derive(Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Reports a problem, as severe as its code says. What is returned takes a label, help and notes:
    ///
    /// ```
    /// # use codegen::{Code, Diagnostics, Location};
    /// # let (mut diagnostics, location) = (Diagnostics::default(), Location::root("openapi.yaml").member("$ref"));
    /// diagnostics
    ///     .report(Code::UnresolvedReference, &location, "`#/components/schemas/Acount` does not exist")
    ///     .help("did you mean `Account`?");
    /// ```
    pub fn report(&mut self, code: Code, location: &Location, message: impl Into<String>) -> &mut Diagnostic {
        let diagnostic = Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            location: location.clone(),
            label: None,
            related: Vec::new(),
            help: Vec::new(),
            notes: Vec::new(),
        };
        let index = self.list.len();
        self.list.push(diagnostic);
        &mut self.list[index]
    }

    /// Some problem is an error.
    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }

    /// The problems that are errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Adds those of `other` at the end.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.list.append(&mut other.list);
    }

    /// Keeps the problems that `keep` says.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Moves every location to where `origin` says it comes from. What that makes the same is said once.
    pub(crate) fn relocate(&mut self, origin: impl Fn(&Location) -> Location) {
        for diagnostic in &mut self.list {
            let related = diagnostic.related.iter_mut().map(|(location, _)| location);
            for location in std::iter::once(&mut diagnostic.location).chain(related) {
                *location = origin(location);
            }
        }
        let mut said = HashSet::default();
        self.list.retain(|found| said.insert((found.code, found.location.clone(), found.message.clone())));
    }

    /// Says of every place what it is called from outside of `folder`, which the files were read in.
    pub fn below(&mut self, folder: &str) {
        self.relocate(|location| location.below(folder));
    }

    /// Calls files by another name, where they have one.
    pub fn rename_files(&mut self, name: impl Fn(&str) -> Option<String>) {
        self.relocate(|location| {
            name(location.file()).map_or_else(|| location.clone(), |name| location.in_file(&name))
        });
    }

    /// There is no problem at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Every place that is mentioned.
    fn locations(&self) -> impl Iterator<Item = &Location> {
        self.list.iter().flat_map(|diagnostic| {
            let related = diagnostic.related.iter().map(|(location, _)| location);
            std::iter::once(&diagnostic.location).chain(related)
        })
    }

    /// In the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}
