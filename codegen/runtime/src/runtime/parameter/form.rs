//! `application/x-www-form-urlencoded`

use std::borrow::Cow;

use super::encode::numbered;
use super::{Field, FromParameter, Pairs, Raw, Style, ToParameter};
use crate::runtime::violation::{Location, Notes, Violation};

/// Reads a form; lists are members that occur several times.
pub fn read_form<T: FromParameter>(bytes: &[u8], any_case: bool) -> Result<T, Vec<Violation>> {
    let mut notes = Notes::new(Location::Body);
    let value = read(bytes, any_case, &mut notes);
    match value {
        Some(value) if notes.is_empty() => Ok(value),
        _ => Err(notes.into_violations()),
    }
}

/// Writes a form; lists are members that occur several times.
pub fn write_form<T: ToParameter + ?Sized>(value: &T) -> String {
    let mut form = String::new();
    Style::FORM.write_query("", &value.to_parameter(), &mut form);
    form
}

/// Writes a form in which the members `deep` are written as `deepObject` says: the items of their lists have numbers,
/// `tags[0]=a&tags[1]=b`.
pub fn write_deep_form<T: ToParameter + ?Sized>(value: &T, deep: &[&str]) -> String {
    let raw = value.to_parameter();
    let fields = match &raw {
        Raw::Fields(fields) => fields.as_slice(),
        Raw::Text(_) | Raw::List(_) => &[],
    };
    let numbered = numbered(fields, |member| deep.contains(&member));
    let fields = numbered.map(|(name, text)| Field::new(name, Cow::Borrowed(text))).collect();
    let mut form = String::new();
    Style::FORM.write_query("", &Raw::Fields(fields), &mut form);
    form
}

fn read<T: FromParameter>(bytes: &[u8], any_case: bool, notes: &mut Notes) -> Option<T> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        notes.note("syntax", "is not UTF-8");
        return None;
    };
    let pairs = Pairs::query(text);
    let pairs = if any_case { pairs.any_case() } else { pairs };
    // Without the members: unknown ones are to be seen by the struct, which may refuse them.
    match Style::FORM.query("", T::SHAPE, None, &pairs) {
        Ok(raw) => T::from_parameter(raw.unwrap_or(Raw::Fields(Vec::new())), notes),
        Err(refusal) => {
            notes.note(refusal.code, refusal.detail);
            None
        }
    }
}
