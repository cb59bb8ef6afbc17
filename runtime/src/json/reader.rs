//! The pull reader that generated models use.

use std::borrow::Cow;

use jiter::{Jiter, JiterError, LinePosition, Peek};

use crate::text::FromText;
use crate::violation::{Location, Notes, Step, Violations};

/// Maximum nesting depth of arrays and objects.
pub(crate) const DEPTH: usize = 128;

/// How often a document may be read again in total.
#[cfg(feature = "union")]
pub(super) const REREADING: usize = 32;

/// Reads one document, notes every violation, and stops early only if the text is not JSON.
#[derive(Debug)]
pub struct Reader<'j> {
    pub(super) jiter: Jiter<'j>,
    pub(super) data: &'j [u8],
    pub(super) notes: Notes,
    pub(super) strict: bool,
    /// The document may be a response, which lacks write-only members.
    pub(super) of_response: bool,
    /// The range in `data` of the last member name, with its surroundings.
    pub(super) name: (usize, usize),
    /// A member that the next object may have although it is not described: the tag of a union.
    pub(super) tag: Option<&'static str>,
    /// The number of bytes that may still be read again.
    #[cfg(feature = "union")]
    pub(super) rereading: usize,
    /// Number of deviations from the description that were ignored.
    pub(super) overlooked: usize,
    /// Whether variants are being tried in turn.
    pub(super) choosing: bool,
}

/// The kind of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
    /// The text is not JSON; a violation was noted.
    Broken,
}

impl Kind {
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
            Self::Broken => "not JSON",
        }
    }
}

impl<'j> Reader<'j> {
    /// A reader that refuses duplicate members. A byte order mark is skipped, as RFC 8259 allows.
    pub fn strict(data: &'j [u8]) -> Self {
        let data = data.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(data);
        Self {
            jiter: Jiter::new(data),
            data,
            notes: Notes::new(Location::Body),
            strict: true,
            of_response: false,
            name: (0, 0),
            tag: None,
            #[cfg(feature = "union")]
            rereading: data.len().saturating_mul(REREADING),
            overlooked: 0,
            choosing: false,
        }
    }

    /// A strict reader of requests and responses: members required only in requests may be missing.
    pub fn both_ways(data: &'j [u8]) -> Self {
        Self { of_response: true, ..Self::strict(data) }
    }

    /// A tolerant reader; of duplicate members the last one wins.
    pub fn tolerant(data: &'j [u8]) -> Self {
        Self { strict: false, notes: Notes::tolerant(Location::Body), ..Self::strict(data) }
    }

    /// Sets the location of the document; by default, the body.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.notes.turn_to(location);
        self
    }

    /// Whether unambiguous deviations from the description are accepted.
    pub fn is_tolerant(&self) -> bool {
        !self.strict
    }

    /// Counts an ignored deviation: of variants tried in turn, the one with the fewest is taken.
    pub fn overlook(&mut self) {
        self.overlooked += 1;
    }

    /// Whether the value just read is kept; `check` notes the rules that it breaks. A tolerant reader keeps
    /// it, and checks rules only to choose between variants.
    pub fn keeps(&mut self, check: &mut dyn FnMut(&mut Notes) -> bool) -> bool {
        if self.strict {
            return check(&mut self.notes);
        }
        if self.choosing {
            let count = self.notes.violations().len();
            if !check(&mut self.notes) {
                self.overlooked += self.notes.take_back(count).len().max(1);
            }
        }
        true
    }

    /// Reads a value with `read`; also returns its text.
    #[cfg(feature = "schema")]
    pub(crate) fn with_text<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<(T, &'j [u8])> {
        let start = self.jiter.current_index();
        let value = read(self)?;
        Some((value, &self.data[start..self.jiter.current_index()]))
    }

    /// The kind of the next value.
    pub fn kind(&mut self) -> Kind {
        if self.notes.is_broken() {
            return Kind::Broken;
        }
        match self.jiter.peek() {
            Ok(Peek::String) => Kind::String,
            Ok(Peek::Null) => Kind::Null,
            Ok(Peek::True | Peek::False) => Kind::Boolean,
            Ok(Peek::Array) => Kind::Array,
            Ok(Peek::Object) => Kind::Object,
            Ok(peek) if peek.is_num() => Kind::Number,
            Ok(_) => self.break_off_here("expected a value"),
            Err(error) => {
                self.break_off::<()>(&error);
                Kind::Broken
            }
        }
    }

    /// Notes that the value or member violates the keyword `code`; the value is still to be read.
    pub fn note(&mut self, code: &'static str, detail: impl Into<String>) {
        self.notes.note(code, detail);
    }

    /// The violations noted.
    pub fn notes(&mut self) -> &mut Notes {
        &mut self.notes
    }

    /// Reads a string; it is valid until the next call.
    pub fn text(&mut self) -> Option<&str> {
        let found = self.kind();
        if found != Kind::String {
            return self.refuse_kind(found, "a string");
        }
        match self.jiter.known_str() {
            Ok(text) => Some(text),
            Err(error) => {
                note_syntax(&mut self.notes, self.data, &error);
                None
            }
        }
    }

    /// Reads a string and parses it.
    pub fn parse<T: FromText>(&mut self) -> Option<T> {
        let (choosing, strict) = (self.choosing, self.strict);
        let text = self.text()?;
        let is_exact = !choosing || T::is_exact(text);
        match if strict { T::from_text_strict(text) } else { T::from_text(text) } {
            Ok(value) => {
                self.overlooked += usize::from(!is_exact);
                Some(value)
            }
            Err(refusal) => {
                self.notes.note(refusal.code, refusal.detail);
                None
            }
        }
    }

    /// Reads a boolean.
    pub fn boolean(&mut self) -> Option<bool> {
        let found = self.kind();
        if found != Kind::Boolean {
            return self.refuse_kind(found, "a boolean");
        }
        match self.jiter.next_bool() {
            Ok(value) => Some(value),
            Err(error) => self.break_off(&error),
        }
    }

    /// Reads `null` if it is next.
    pub fn null(&mut self) -> bool {
        if self.kind() != Kind::Null {
            return false;
        }
        if let Err(error) = self.jiter.known_null() {
            self.break_off::<()>(&error);
        }
        true
    }

    /// Reads an array, each item with `on_item`.
    pub fn array(&mut self, on_item: &mut dyn FnMut(&mut Self)) -> Option<()> {
        let found = self.kind();
        if found != Kind::Array {
            return self.refuse_kind(found, "an array");
        }
        self.enter(Step::Item(0))?;
        let mut next = self.jiter.known_array();
        let mut index = 0;
        loop {
            match next {
                Ok(Some(_)) => on_item(self),
                Ok(None) => break,
                Err(error) => return self.break_off(&error),
            }
            if self.notes.is_broken() {
                return None;
            }
            index += 1;
            self.notes.stand_at(Step::Item(index));
            next = self.jiter.array_step();
        }
        self.notes.leave();
        Some(())
    }

    /// Notes that the value is not `expected`, and skips it.
    pub fn no_kind<T>(&mut self, expected: &str) -> Option<T> {
        let found = self.kind();
        self.refuse_kind(found, expected)
    }

    pub(super) fn refuse_kind<T>(&mut self, found: Kind, expected: &str) -> Option<T> {
        self.notes.note("type", format!("is {}, not {expected}", found.noun()));
        self.skip();
        None
    }

    pub(super) fn enter(&mut self, step: Step) -> Option<()> {
        if self.notes.depth() >= DEPTH {
            self.notes.break_off("depth", format!("is nested more than {DEPTH} levels deep"));
            return None;
        }
        self.notes.enter(step);
        Some(())
    }

    pub(super) fn break_off<T>(&mut self, error: &JiterError) -> Option<T> {
        note_syntax(&mut self.notes, self.data, error);
        None
    }

    pub(super) fn break_off_here(&mut self, what: &str) -> Kind {
        note_syntax_at(&mut self.notes, self.data, self.jiter.current_index(), what);
        Kind::Broken
    }

    /// The name of the current member.
    pub fn member_name(&self) -> Cow<'j, str> {
        let (start, end) = self.name;
        let around = self.data.get(start..end).unwrap_or_default();
        let Some(quote) = around.iter().position(|byte| *byte == b'"') else {
            return Cow::Borrowed("");
        };
        let quoted = &around[quote..];
        // Escapes are rare; without them, the name ends at the next quote.
        if let Some(length) = quoted[1..].iter().position(|byte| matches!(byte, b'"' | b'\\'))
            && quoted[1 + length] == b'"'
        {
            return Cow::Borrowed(std::str::from_utf8(&quoted[1..=length]).unwrap_or_default());
        }
        Cow::Owned(Jiter::new(quoted).next_str().unwrap_or_default().to_owned())
    }

    pub(super) fn finish<T>(mut self, value: Option<T>) -> Result<T, Violations> {
        if !self.notes.is_broken()
            && let Err(error) = self.jiter.finish()
        {
            self.break_off::<()>(&error);
        }
        match value {
            Some(value) if self.notes.is_empty() => Ok(value),
            _ => {
                if self.notes.is_empty() {
                    self.notes.note("type", "cannot be read");
                }
                Err(self.notes.into_violations().into())
            }
        }
    }
}

fn note_syntax(notes: &mut Notes, data: &[u8], error: &JiterError) {
    if data.trim_ascii().is_empty() {
        return notes.break_off("syntax", "is empty".to_owned());
    }
    note_syntax_at(notes, data, error.index, &error.error_type.to_string());
}

fn note_syntax_at(notes: &mut Notes, data: &[u8], index: usize, what: &str) {
    let LinePosition { line, column } = LinePosition::find(data, index);
    notes.break_off("syntax", format!("is not JSON: {what} at line {line} column {column}"));
}
