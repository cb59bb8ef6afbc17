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
    /// The kind of problem.
    pub code: Code,
    /// Whether it stops the generation.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop, names in backquotes.
    pub message: String,
    /// Where.
    pub location: Location,
    /// A label for the location.
    pub label: Option<String>,
    /// Related locations, each with a label.
    pub related: Vec<(Location, String)>,
    /// Suggested fixes.
    pub help: Vec<String>,
    /// Background information.
    pub notes: Vec<String>,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Code is generated; assumptions and omissions are reported.
    Warning,
}

impl Diagnostic {
    /// Labels the location.
    pub fn label(&mut self, text: impl Into<String>) -> &mut Self {
        self.label = Some(text.into());
        self
    }

    /// Adds a related location with a label.
    pub fn related(&mut self, location: &Location, text: impl Into<String>) -> &mut Self {
        self.related.push((location.clone(), text.into()));
        self
    }

    /// Suggests a fix.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help.push(text.into());
        self
    }

    /// Adds background information.
    pub fn note(&mut self, text: impl Into<String>) -> &mut Self {
        self.notes.push(text.into());
        self
    }
}

/// The problems found so far. A stage reports all problems; it returns `None` if one of them is an error.
#[derive(Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Reports a problem with the severity of its code. The returned diagnostic takes a label, help and
    /// notes:
    ///
    /// ```
    /// # use specwright::{Code, Diagnostics, Location};
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

    /// Whether any problem is an error.
    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Appends the problems of `other`.
    pub fn append(&mut self, mut other: Self) {
        self.list.append(&mut other.list);
    }

    /// Keeps the problems for which `keep` returns `true`.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Moves every location to its origin. Problems that become equal are merged.
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

    /// Prefixes every path with `folder`, which the files were read from.
    pub fn below(&mut self, folder: &str) {
        self.relocate(|location| location.below(folder));
    }

    /// Renames files for which `name` returns a name.
    pub fn rename_files(&mut self, name: impl Fn(&str) -> Option<String>) {
        self.relocate(|location| {
            name(location.file()).map_or_else(|| location.clone(), |name| location.in_file(&name))
        });
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All locations.
    fn locations(&self) -> impl Iterator<Item = &Location> {
        self.list.iter().flat_map(|diagnostic| {
            let related = diagnostic.related.iter().map(|(location, _)| location);
            std::iter::once(&diagnostic.location).chain(related)
        })
    }

    /// The problems in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
}
