//! The writer that generated models use.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;

use jiff::Timestamp;

use super::escape::escape;
use super::unwritable::{Reason, Unwritable, pointer_to_end};
use super::{Maybe, Write, moment};
use crate::text::ToText;

/// Writes one compact document.
///
/// Member names are passed already escaped: they are known when code is generated.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// The first value that JSON cannot represent.
    unwritable: Option<Unwritable>,
}

impl Writer {
    /// An empty writer.
    pub fn new() -> Self {
        Self { bytes: Vec::with_capacity(512), unwritable: None }
    }

    /// The bytes written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes written, unless a value cannot be represented in JSON.
    pub fn finish(self) -> Result<Vec<u8>, Unwritable> {
        match self.unwritable {
            None => Ok(self.bytes),
            Some(unwritable) => Err(unwritable),
        }
    }

    /// Starts an object.
    pub fn begin_object(&mut self) {
        self.bytes.push(b'{');
    }

    /// Ends an object.
    pub fn end_object(&mut self) {
        self.bytes.push(b'}');
    }

    /// Starts an array.
    pub fn begin_array(&mut self) {
        self.bytes.push(b'[');
    }

    /// Ends an array.
    pub fn end_array(&mut self) {
        self.bytes.push(b']');
    }

    /// Writes one item of an array.
    pub fn item<T: Write + ?Sized>(&mut self, item: &T) {
        self.separate();
        item.write(self);
    }

    /// Writes a member.
    pub fn required<T: Write + ?Sized>(&mut self, name: &'static str, value: &T) {
        self.name(name);
        value.write(self);
    }

    /// Writes a member unless it has no value.
    pub fn optional<T: Write>(&mut self, name: &'static str, value: &Option<T>) {
        if let Some(value) = value {
            self.required(name, value);
        }
    }

    /// Writes a member that may be absent or `null`.
    pub fn maybe<T: Write>(&mut self, name: &'static str, value: &Maybe<T>) {
        match value {
            Maybe::Absent => {}
            Maybe::Null => {
                self.name(name);
                self.null();
            }
            Maybe::Value(value) => self.required(name, value),
        }
    }

    /// Writes members: names, each with whether it is always written, and values.
    pub fn members(&mut self, names: &[(&'static str, bool)], values: &[&dyn Write]) {
        for ((name, always), value) in names.iter().zip(values) {
            if *always {
                self.name(name);
                value.write(self);
            } else {
                value.write_member(name, self);
            }
        }
    }

    /// Writes the members of a map.
    pub fn entries<T: Write>(&mut self, entries: &BTreeMap<String, T>) {
        for (name, value) in entries {
            self.entry_name(name);
            value.write(self);
        }
    }

    /// Writes additional members; one with the name of a `described` member makes the document unwritable.
    pub fn entries_besides<T: Write>(&mut self, described: &[&str], entries: &BTreeMap<String, T>) {
        for (name, value) in entries {
            self.entry_name(name);
            if described.contains(&name.as_str()) {
                self.refuse(Reason::Repeated);
            } else {
                value.write(self);
            }
        }
    }

    fn entry_name(&mut self, name: &str) {
        self.separate();
        self.string(name);
        self.bytes.push(b':');
    }

    /// Writes the object `value` with the member `tag` in front of its own.
    pub fn tagged<T: Write + ?Sized>(&mut self, tag: &str, text: &str, value: &T) {
        let start = self.bytes.len();
        value.write(self);
        self.insert_tag(start, tag, text);
    }

    /// Writes a member name; its value must follow.
    pub fn name(&mut self, name: &'static str) {
        // At most a comma, two quotes and a colon.
        self.bytes.reserve(name.len() + 4);
        self.separate();
        self.bytes.push(b'"');
        self.raw(name);
        self.raw("\":");
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) {
        escape(&mut self.bytes, text);
    }

    /// Writes a text that needs no escapes as a string.
    pub fn text(&mut self, value: &dyn ToText) {
        escape(&mut self.bytes, &value.to_text());
    }

    /// Displays `value` as a string; it must contain nothing that needs escaping.
    pub(crate) fn display(&mut self, value: &dyn fmt::Display) {
        self.bytes.push(b'"');
        // Writing to memory cannot fail.
        let _ = write!(self.bytes, "{value}");
        self.bytes.push(b'"');
    }

    /// Writes a moment as a string.
    pub(crate) fn timestamp(&mut self, moment: Timestamp) {
        moment::write(&mut self.bytes, moment);
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.raw("null");
    }

    /// Writes JSON text.
    pub fn raw(&mut self, json: &str) {
        self.bytes.extend_from_slice(json.as_bytes());
    }

    /// Writes a number; an infinity or NaN makes the document unwritable.
    pub fn double(&mut self, number: f64) {
        if number.is_finite() {
            self.raw(zmij::Buffer::new().format_finite(number));
        } else {
            self.refuse(Reason::Number);
        }
    }

    /// Writes a number; an infinity or NaN makes the document unwritable.
    pub fn single(&mut self, number: f32) {
        if number.is_finite() {
            self.raw(zmij::Buffer::new().format_finite(number));
        } else {
            self.refuse(Reason::Number);
        }
    }

    #[cold]
    fn refuse(&mut self, reason: Reason) {
        if self.unwritable.is_none() {
            self.unwritable = Some(Unwritable { pointer: pointer_to_end(&self.bytes), reason });
        }
        self.null();
    }

    /// Writes a comma if the next item or name needs one.
    pub(crate) fn separate(&mut self) {
        // A string ends with a quote, so these bytes can only open an object, an array or a member.
        if !matches!(self.bytes.last(), None | Some(b'{' | b'[' | b':')) {
            self.bytes.push(b',');
        }
    }

    fn insert_tag(&mut self, start: usize, tag: &str, text: &str) {
        if self.bytes.get(start) != Some(&b'{') {
            return;
        }
        let mut member = Vec::new();
        escape(&mut member, tag);
        member.push(b':');
        escape(&mut member, text);
        if self.bytes.get(start + 1) != Some(&b'}') {
            member.push(b',');
        }
        let rest = self.bytes.split_off(start + 1);
        self.bytes.extend_from_slice(&member);
        self.bytes.extend_from_slice(&rest);
    }
}
