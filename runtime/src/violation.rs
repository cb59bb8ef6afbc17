//! Violations of the description in a document or a request.

use std::error::Error;
use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::text::{nearest, quoted};

/// Maximum number of violations kept per document: enough to fix it, too few for an attack.
const MOST: usize = 100;

/// One violation of the description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The part of the message.
    pub location: Location,
    /// The JSON Pointer within the part (RFC 6901); empty for the part itself.
    pub pointer: String,
    /// The violated keyword of the description: `required`, `type`, `maximum`, …
    pub code: &'static str,
    /// The rest of a sentence about the value: "is missing", "is 5000, at most 1000".
    pub detail: String,
}

impl Violation {
    /// Rewords a syntax error for JSON scalars in plain text, where strings have no quotes.
    #[cfg(any(feature = "client", feature = "server"))]
    pub(crate) fn speak_of_text(&mut self) {
        if self.code == "syntax" {
            "is not a number, a boolean or another value as JSON writes it".clone_into(&mut self.detail);
        }
    }
}

/// The violations of a document that could not be read, or of a value that must not be sent; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Deref for Violations {
    type Target = [Violation];

    fn deref(&self) -> &[Violation] {
        &self.0
    }
}

impl DerefMut for Violations {
    fn deref_mut(&mut self) -> &mut [Violation] {
        &mut self.0
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<Vec<Violation>> for Violations {
    fn from(violations: Vec<Violation>) -> Self {
        Self(violations)
    }
}

impl From<Violations> for Vec<Violation> {
    fn from(violations: Violations) -> Self {
        violations.0
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `/name is missing; /age is a string, not a number`
        for (at, Violation { pointer, detail, .. }) in self.iter().enumerate() {
            let separator = if at == 0 { "" } else { "; " };
            let place = if pointer.is_empty() { "the value" } else { pointer };
            write!(f, "{separator}{place} {detail}")?;
        }
        Ok(())
    }
}

impl Error for Violations {}

/// A part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A parameter in the path.
    Path(&'static str),
    /// A parameter in the query.
    Query(&'static str),
    /// A header.
    Header(&'static str),
    /// A cookie.
    Cookie(&'static str),
    /// The whole query.
    QueryString,
    /// The body.
    Body,
}

impl Location {
    /// The value of `in`: `path`, `query`, `header`, `cookie`, `querystring`, or `body`.
    pub fn part(self) -> &'static str {
        match self {
            Self::Path(_) => "path",
            Self::Query(_) => "query",
            Self::Header(_) => "header",
            Self::Cookie(_) => "cookie",
            Self::QueryString => "querystring",
            Self::Body => "body",
        }
    }

    /// The name of the parameter; `None` for the whole query and the body.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Path(name) | Self::Query(name) | Self::Header(name) | Self::Cookie(name) => Some(name),
            Self::QueryString | Self::Body => None,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.location.part())?;
        if let Some(name) = self.location.name() {
            write!(f, " `{name}`")?;
        }
        if !self.pointer.is_empty() {
            write!(f, " {}", self.pointer)?;
        }
        write!(f, " {}", self.detail)
    }
}

/// The violations found so far, and the current location.
#[derive(Debug)]
pub struct Notes {
    location: Location,
    path: Vec<Step>,
    violations: Vec<Violation>,
    broken: bool,
    /// Accepts only what the description allows.
    strict: bool,
    /// The members of the object whose unknown member is current.
    pub(crate) names: &'static [&'static str],
}

/// One step from a part to a location inside it.
#[derive(Debug)]
pub(crate) enum Step {
    /// A described member.
    Member(&'static str),
    /// An additional member.
    Key(String),
    /// An item of an array.
    Item(usize),
}

impl Notes {
    /// No violations, at `location`.
    pub fn new(location: Location) -> Self {
        Self { location, path: Vec::new(), violations: Vec::new(), broken: false, strict: true, names: &[] }
    }

    /// The same for a reader that accepts common deviations from formats.
    pub fn tolerant(location: Location) -> Self {
        Self { strict: false, ..Self::new(location) }
    }

    /// Whether only what the description allows is accepted.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Moves to `location`.
    pub fn turn_to(&mut self, location: Location) {
        self.location = location;
        self.path.clear();
    }

    /// The current part.
    pub fn location(&self) -> Location {
        self.location
    }

    /// Notes that the current value violates the keyword `code`.
    pub fn note(&mut self, code: &'static str, detail: impl Into<String>) {
        if !self.is_full() {
            self.push(code, detail.into());
        }
    }

    /// Notes violations found elsewhere.
    pub fn extend(&mut self, violations: impl IntoIterator<Item = Violation>) {
        let room = MOST.saturating_sub(self.violations.len());
        self.violations.extend(violations.into_iter().take(room));
    }

    /// Notes that the member `name` is not described.
    pub(crate) fn refuse(&mut self, name: String) {
        // Look for similar names only while violations are kept: a body may have thousands of members.
        let close = if self.is_full() { None } else { nearest(&name, &mut self.names.iter().copied()) };
        self.stand_at(Step::Key(name));
        self.note_unknown(close);
    }

    /// Notes that the current object has no `name`; `close` is a suggestion.
    pub fn refuse_name(&mut self, name: &str, close: Option<&str>) {
        self.enter(Step::Key(name.to_owned()));
        self.note_unknown(close);
        self.leave();
    }

    fn note_unknown(&mut self, close: Option<&str>) {
        match close {
            Some(close) => self.note("unknown", format!("is unknown; did you mean {}?", quoted(close))),
            None => self.note("unknown", "is unknown"),
        }
    }

    /// Whether there are no violations.
    pub fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// The violations.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The violations.
    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// The JSON Pointer of the current value.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Member(name) => push_escaped(&mut pointer, name),
                Step::Key(name) => push_escaped(&mut pointer, name),
                Step::Item(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }

    pub(crate) fn enter(&mut self, step: Step) {
        self.path.push(step);
    }

    pub(crate) fn stand_at(&mut self, step: Step) {
        if let Some(last) = self.path.last_mut() {
            *last = step;
        }
    }

    pub(crate) fn leave(&mut self) -> Option<Step> {
        self.path.pop()
    }

    /// The name of the current member if it is not described.
    pub(crate) fn key(&self) -> Option<&str> {
        match self.path.last()? {
            Step::Key(name) => Some(name),
            Step::Member(_) | Step::Item(_) => None,
        }
    }

    /// Whether the current value is an item of a nested list.
    pub fn is_in_lists(&self) -> bool {
        matches!(self.path[..], [.., Step::Item(_), Step::Item(_)])
    }

    pub(crate) fn depth(&self) -> usize {
        self.path.len()
    }

    /// Notes a violation that ends the reading; later ones are not kept.
    pub(crate) fn break_off(&mut self, code: &'static str, detail: String) {
        if !self.broken {
            self.violations.truncate(MOST - 1);
            self.push(code, detail);
            self.broken = true;
        }
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Whether no more violations are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.broken || self.violations.len() >= MOST
    }

    /// Removes and returns the violations after the first `count`.
    pub(crate) fn take_back(&mut self, count: usize) -> Vec<Violation> {
        self.violations.split_off(count.min(self.violations.len()))
    }

    fn push(&mut self, code: &'static str, detail: String) {
        if self.violations.len() < MOST {
            let pointer = self.pointer();
            self.violations.push(Violation { location: self.location, pointer, code, detail });
        }
    }
}

fn push_escaped(pointer: &mut String, name: &str) {
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}
