//! What is wrong with a document or a request, and where.

use std::fmt;

use crate::text::{nearest, quoted};

/// The most violations that are kept of one document: enough to mend it, too few to be an attack.
const MOST: usize = 100;

/// One thing that the description does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The part of the message.
    pub location: Location,
    /// The place inside the part, as a JSON Pointer (RFC 6901); empty for the part itself.
    pub pointer: String,
    /// The keyword of the description that is not met: `required`, `type`, `maximum`, …
    pub code: &'static str,
    /// The rest of a sentence about the place: "is missing", "is 5000, at most 1000".
    pub detail: String,
}

impl Violation {
    /// Says the same of a text that is read as JSON because numbers and booleans are written alike.
    pub(crate) fn speak_of_text(&mut self) {
        if self.code == "syntax" {
            "is not a number, a boolean or another value as JSON writes it".clone_into(&mut self.detail);
        }
    }
}

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

    /// The name of the parameter; none for the whole query and the body.
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

/// The violations found so far, and the place that is being looked at.
#[derive(Debug)]
pub struct Notes {
    location: Location,
    path: Vec<Step>,
    violations: Vec<Violation>,
    broken: bool,
    /// Only what the description says is taken.
    strict: bool,
    /// The members of the object whose unknown member is being looked at.
    pub(crate) names: &'static [&'static str],
}

/// One step of the way from a part to a place inside it.
#[derive(Debug)]
pub(crate) enum Step {
    /// A member that the description names.
    Member(&'static str),
    /// A member that it does not name.
    Key(String),
    /// An item of an array.
    Item(usize),
}

impl Notes {
    /// Nothing found yet; what comes next is about `location`.
    pub fn new(location: Location) -> Self {
        Self { location, path: Vec::new(), violations: Vec::new(), broken: false, strict: true, names: &[] }
    }

    /// The same for a reader that takes what many servers write in the place of what a format says.
    pub fn tolerant(location: Location) -> Self {
        Self { strict: false, ..Self::new(location) }
    }

    /// Whether only what the description says is taken.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// What comes next is about `location`.
    pub fn turn_to(&mut self, location: Location) {
        self.location = location;
        self.path.clear();
    }

    /// The part that is being looked at.
    pub fn location(&self) -> Location {
        self.location
    }

    /// Notes that the place that is being looked at does not meet the keyword `code`.
    pub fn note(&mut self, code: &'static str, detail: impl Into<String>) {
        if !self.is_full() {
            self.push(code, detail.into());
        }
    }

    /// Notes violations found elsewhere.
    pub fn extend(&mut self, violations: Vec<Violation>) {
        let room = MOST.saturating_sub(self.violations.len());
        self.violations.extend(violations.into_iter().take(room));
    }

    /// Notes that the description does not name the member `name`.
    pub(crate) fn refuse(&mut self, name: String) {
        // Names are compared for those that are kept, not for each of the thousands that a body may have.
        let close = if self.is_full() { None } else { nearest(&name, &mut self.names.iter().copied()) };
        self.stand_at(Step::Key(name));
        self.note_unknown(close);
    }

    /// Notes that the place that is being looked at has no `name`; `close` may be meant.
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

    /// Nothing has been noted.
    pub fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// What has been noted.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// What has been noted.
    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// The way to the place that is being looked at, as a JSON Pointer.
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

    /// The name of the member that is being looked at, when the description does not name it.
    pub(crate) fn key(&self) -> Option<&str> {
        match self.path.last()? {
            Step::Key(name) => Some(name),
            Step::Member(_) | Step::Item(_) => None,
        }
    }

    /// What is being looked at is an item of a list that is an item itself.
    pub fn is_in_lists(&self) -> bool {
        matches!(self.path[..], [.., Step::Item(_), Step::Item(_)])
    }

    pub(crate) fn depth(&self) -> usize {
        self.path.len()
    }

    /// Notes what makes it pointless to look further; nothing is noted after it.
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

    /// Nothing more is kept.
    pub(crate) fn is_full(&self) -> bool {
        self.broken || self.violations.len() >= MOST
    }

    /// Takes back what was noted after the first `count`.
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
