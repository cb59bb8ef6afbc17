//! Finds the variant of a union.

use std::borrow::Cow;

use jiter::{Jiter, Peek};

use super::reader::REREADING;
use super::{Kind, Read, Reader, Value};
use crate::text;
use crate::violation::{Step, Violation};

/// The name of a variant, and the function that reads it.
pub(super) type Attempt<'j, T> = (&'static str, fn(&mut Reader<'j>) -> Option<T>);

impl<'j> Reader<'j> {
    /// The value of the member `tag` (a string, number or boolean) of the next object. Numbers are
    /// [`canonical`](text::canonical): `2.0` is `2`.
    pub fn find_tag(&self, tag: &str) -> Option<Cow<'j, str>> {
        self.look_for(&|name| name == tag)
    }

    /// The same with a case-insensitive name (ASCII).
    pub fn find_tag_any_case(&self, tag: &str) -> Option<Cow<'j, str>> {
        self.look_for(&|name| name.eq_ignore_ascii_case(tag))
    }

    /// Whether the next object has this member.
    pub fn has_member(&self, member: &str) -> bool {
        find(&mut self.cursor.ahead(), &|name| name == member).is_some()
    }

    /// The same with a case-insensitive name (ASCII).
    pub fn has_member_any_case(&self, member: &str) -> bool {
        find(&mut self.cursor.ahead(), &|name| name.eq_ignore_ascii_case(member)).is_some()
    }

    /// Whether the next object has more than one of these members; `any_case` ignores ASCII letter case.
    pub fn has_several(&self, members: &[&str], any_case: bool) -> bool {
        let is = |name: &str, member: &str| if any_case { name.eq_ignore_ascii_case(member) } else { name == member };
        let has = |member: &&&str| find(&mut self.cursor.ahead(), &|name| is(name, member)).is_some();
        members.iter().filter(has).take(2).count() > 1
    }

    /// Notes that the next object has more than one of `members`, each of which belongs to one variant; skips
    /// it.
    pub fn several_members<T>(&mut self, members: &[&str]) -> Option<T> {
        let members: Vec<_> = members.iter().map(|member| text::quoted(member)).collect();
        self.notes.note("oneOf", format!("has several of {}, of which one is allowed", members.join(", ")));
        self.skip();
        None
    }

    /// Reads with `read`; on failure, rewinds and returns the violations.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, Vec<Violation>> {
        let before = self.cursor.index();
        let (count, overlooked) = (self.notes.violations().len(), self.overlooked);
        let value = read(self);
        // A value may be complete although some members are not allowed.
        if let Some(value) = value.filter(|_| self.notes.violations().len() == count) {
            return Ok(value);
        }
        self.overlooked = overlooked;
        if self.notes.is_broken() {
            return Err(Vec::new());
        }
        // Nested unions are read repeatedly; this bounds the time for a hostile document.
        let again = self.cursor.index() - before;
        let Some(rest) = self.rereading.checked_sub(again) else {
            self.notes.break_off("oneOf", "is too ambiguous".to_owned());
            return Err(Vec::new());
        };
        self.rereading = rest;
        self.cursor.turn_to(before);
        Err(self.notes.take_back(count))
    }

    /// Reads a variant whose own schema lacks the member `tag`.
    pub fn tagged<T>(&mut self, tag: &'static str, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.tag = Some(tag);
        let value = read(self);
        self.tag = None;
        value
    }

    /// Reads the first of the named `variants` that matches without deviations, or else the first of those
    /// with the fewest deviations.
    pub fn first_of<T>(&mut self, variants: &[Attempt<'j, T>]) -> Option<T> {
        match self.best_of(variants) {
            Ok(value) => Some(value),
            Err(failures) => self.no_variant(&failures),
        }
    }

    /// The same for an extensible union: a tolerant reader keeps a value that fits no variant.
    pub fn open_first_of<T>(&mut self, variants: &[Attempt<'j, T>], unknown: fn(Value) -> T) -> Option<T> {
        match self.best_of(variants) {
            Ok(value) => Some(value),
            Err(_) if self.is_tolerant() => self.unknown().map(unknown),
            Err(failures) => self.no_variant(&failures),
        }
    }

    /// The value of a variant; otherwise the reader is before the value, and the violations of each variant
    /// are returned.
    fn best_of<T>(&mut self, variants: &[Attempt<'j, T>]) -> Result<T, Vec<(&'static str, Vec<Violation>)>> {
        let overlooked = self.overlooked;
        let choosing = self.choosing;
        let mut failures = Vec::new();
        let mut best: Option<(T, usize, usize)> = None;
        for (variant, read) in variants {
            let before = self.cursor.index();
            self.choosing = true;
            let attempted = self.attempt(read);
            self.choosing = choosing;
            match attempted {
                Ok(value) if self.overlooked == overlooked => return Ok(value),
                Ok(value) => {
                    let again = self.cursor.index() - before;
                    self.rereading = self.rereading.saturating_sub(again);
                    let after = self.cursor.index();
                    self.cursor.turn_to(before);
                    let count = std::mem::replace(&mut self.overlooked, overlooked);
                    if best.as_ref().is_none_or(|(_, _, least)| count < *least) {
                        best = Some((value, after, count));
                    }
                    // The other half is reserved for variants that fail.
                    if self.rereading < self.data.len().saturating_mul(REREADING / 2) {
                        break;
                    }
                }
                Err(_) if self.notes.is_broken() => return Err(failures),
                Err(violations) => failures.push((*variant, violations)),
            }
        }
        let Some((value, after, count)) = best else { return Err(failures) };
        self.cursor.turn_to(after);
        self.overlooked = count;
        Ok(value)
    }

    /// Reads a value of an unknown variant, which only a tolerant reader accepts.
    pub fn unknown(&mut self) -> Option<Value> {
        if self.is_tolerant() {
            self.overlook();
            return Value::read(self);
        }
        self.notes.note("oneOf", "is of no variant that is known");
        self.skip();
        None
    }

    /// Notes that the next object has none of `members`, each of which belongs to one variant; skips it.
    pub fn no_member<T>(&mut self, members: &[&str]) -> Option<T> {
        let found = self.kind();
        if found != Kind::Object {
            return self.refuse_kind(found, "an object");
        }
        let members: Vec<_> = members.iter().map(|member| text::quoted(member)).collect();
        self.notes.note("oneOf", format!("has none of {}", members.join(", ")));
        self.skip();
        None
    }

    /// Notes that the value fits no variant, with the reasons; skips it. If every variant refuses the same
    /// members for the same reason, only that is noted.
    pub fn no_variant<T>(&mut self, failures: &[(&str, Vec<Violation>)]) -> Option<T> {
        let shared = shared(failures, &self.notes.pointer());
        if shared.is_empty() {
            self.note_failures(failures);
        } else if !self.notes.is_broken() {
            self.notes.extend(shared);
        }
        self.skip();
        None
    }

    /// Notes the violations of each variant.
    fn note_failures(&mut self, failures: &[(&str, Vec<Violation>)]) {
        let mut detail = "fits no variant".to_owned();
        let here = self.notes.pointer();
        for (index, (variant, violations)) in failures.iter().enumerate() {
            detail.push_str(if index == 0 { ": not " } else { "; not " });
            detail.push_str(variant);
            for (index, violation) in violations.iter().take(3).enumerate() {
                detail.push_str(if index == 0 { ", because " } else { " and " });
                match violation.pointer.strip_prefix(&here).unwrap_or(&violation.pointer) {
                    "" => detail.push_str("it"),
                    pointer => detail.push_str(pointer),
                }
                detail.push(' ');
                detail.push_str(&violation.detail);
            }
            if violations.len() > 3 {
                detail.push_str(" …");
            }
        }
        self.notes.note("oneOf", detail);
    }

    /// Notes that the member `tag` of the next object is missing or not one of `allowed`; skips it.
    pub fn no_tag<T>(&mut self, tag: &'static str, allowed: &[&str]) -> Option<T> {
        let found = self.kind();
        if found != Kind::Object {
            return self.refuse_kind(found, "an object");
        }
        self.enter(Step::Member(tag))?;
        match self.find_tag_any_case(tag) {
            Some(value) => {
                let refusal = text::not_one_of(&value, &mut allowed.iter().copied());
                self.notes.note(refusal.code, refusal.detail);
            }
            None if self.has_member_any_case(tag) => self.notes.note("type", "is not a string"),
            None => self.notes.note("required", "is missing"),
        }
        self.notes.leave();
        self.skip();
        None
    }

    fn look_for(&self, wanted: &dyn Fn(&str) -> bool) -> Option<Cow<'j, str>> {
        let mut ahead = self.cursor.ahead();
        let peek = find(&mut ahead, wanted)?;
        let start = ahead.current_index();
        if matches!(peek, Peek::True | Peek::False) {
            return Some(Cow::Borrowed(if ahead.known_bool(peek).ok()? { "true" } else { "false" }));
        }
        if peek.is_num() {
            ahead.known_number_bytes(peek).ok()?;
            return Some(text::canonical(std::str::from_utf8(ahead.slice_to_current(start)).ok()?));
        }
        let text = ahead.next_str().ok()?.to_owned();
        Some(Cow::Owned(text))
    }
}

/// The violations inside the value at `here` that all variants share.
fn shared(failures: &[(&str, Vec<Violation>)], here: &str) -> Vec<Violation> {
    let Some(((_, first), others)) = failures.split_first() else { return Vec::new() };
    let is_shared = |violation: &&Violation| {
        violation.pointer != here && others.iter().all(|(_, violations)| violations.contains(violation))
    };
    first.iter().filter(is_shared).cloned().collect()
}

/// Advances to the value of the first wanted member.
fn find(ahead: &mut Jiter<'_>, wanted: &dyn Fn(&str) -> bool) -> Option<Peek> {
    if ahead.peek().ok()? != Peek::Object {
        return None;
    }
    let mut name = ahead.known_object();
    while let Ok(Some(found)) = name {
        if wanted(found) {
            return ahead.peek().ok();
        }
        ahead.next_skip().ok()?;
        name = ahead.next_key();
    }
    None
}
