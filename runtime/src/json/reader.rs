//! The pull reader that generated models use.

use std::borrow::Cow;

use jiter::{Jiter, JiterError, LinePosition};

use super::cursor::Cursor;
use crate::text::FromText;
use crate::violation::{Location, Notes, Step, Violations};

/// Maximum nesting depth of arrays and objects.
pub(crate) const DEPTH: usize = 128;

/// Maximum number of times a document is read again in total.
#[cfg(feature = "union")]
pub(super) const REREADING: usize = 32;

/// Reads one document, notes every violation, and stops early only if the text is not JSON.
#[derive(Debug)]
pub struct Reader<'j> {
    pub(super) cursor: Cursor<'j>,
    pub(super) data: &'j [u8],
    pub(super) notes: Notes,
    pub(super) strict: bool,
    /// The document may be a response, which lacks write-only members.
    pub(super) of_response: bool,
    /// The name of the last member that is not described.
    pub(super) name: Cow<'j, str>,
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
            cursor: Cursor::new(data),
            data,
            notes: Notes::new(Location::Body),
            strict: true,
            of_response: false,
            name: Cow::Borrowed(""),
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

    /// Whether rules matter: a tolerant reader checks them only to choose between variants.
    #[cfg(feature = "rule")]
    pub(crate) fn checks_rules(&self) -> bool {
        self.strict || self.choosing
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
        let start = self.cursor.index();
        let value = read(self)?;
        Some((value, self.cursor.slice_from(start)))
    }

    /// The kind of the next value.
    pub fn kind(&mut self) -> Kind {
        if self.notes.is_broken() {
            return Kind::Broken;
        }
        match self.cursor.peek() {
            Some(b'"') => Kind::String,
            Some(b'n') => Kind::Null,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'[') => Kind::Array,
            Some(b'{') => Kind::Object,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(_) => self.break_off_here("expected a value"),
            None => {
                if let Err(error) = self.cursor.with_jiter(Jiter::peek) {
                    self.break_off::<()>(&error);
                }
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

    /// Reads a string.
    pub fn text(&mut self) -> Option<Cow<'j, str>> {
        if self.cursor.peek() == Some(b'"')
            && let Some(text) = self.cursor.plain_string()
        {
            return Some(Cow::Borrowed(text));
        }
        self.text_with_escapes()
    }

    fn text_with_escapes(&mut self) -> Option<Cow<'j, str>> {
        let found = self.kind();
        if found != Kind::String {
            return self.refuse_kind(found, "a string");
        }
        match self.cursor.with_jiter(|jiter| jiter.known_str().map(str::to_owned)) {
            Ok(text) => Some(Cow::Owned(text)),
            Err(error) => self.break_off(&error),
        }
    }

    /// Reads a string and parses it.
    pub fn parse<T: FromText>(&mut self) -> Option<T> {
        let text = self.text()?;
        let is_exact = !self.choosing || T::is_exact(&text);
        match if self.strict { T::from_text_strict(&text) } else { T::from_text(&text) } {
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
        match self.cursor.with_jiter(Jiter::next_bool) {
            Ok(value) => Some(value),
            Err(error) => self.break_off(&error),
        }
    }

    /// Reads `null` if it is next.
    pub fn null(&mut self) -> bool {
        if self.cursor.peek() != Some(b'n') {
            return false;
        }
        if let Err(error) = self.cursor.with_jiter(Jiter::known_null) {
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
        let mut index = 0;
        loop {
            match self.cursor.next_item(index == 0) {
                Ok(true) => on_item(self),
                Ok(false) => break,
                Err(error) => return self.break_off(&error),
            }
            if self.notes.is_broken() {
                return None;
            }
            index += 1;
            self.notes.stand_at(Step::Item(index));
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
        note_syntax_at(&mut self.notes, self.data, self.cursor.index(), what);
        Kind::Broken
    }

    /// The name of the current member, if it is not described.
    pub fn member_name(&self) -> Cow<'j, str> {
        self.name.clone()
    }

    pub(super) fn finish<T>(mut self, value: Option<T>) -> Result<T, Violations> {
        if !self.notes.is_broken()
            && self.cursor.peek().is_some()
            && let Err(error) = self.cursor.with_jiter(Jiter::finish)
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
