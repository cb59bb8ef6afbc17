//! `application/x-www-form-urlencoded`

use std::borrow::Cow;

use super::{Field, FromParameter, Pairs, Raw, Shape, Style, ToParameter};
use crate::text::Refusal;
use crate::violation::{Location, Notes, Violation};

/// Reads a form; lists are repeated members. Members named in `lists` are also split by their style.
pub fn read_form<T: FromParameter>(bytes: &[u8], lists: &[(&str, Style)], any_case: bool) -> Result<T, Vec<Violation>> {
    read_form_noting(bytes, lists, any_case, Notes::new(Location::Body))
}

/// The same for a tolerant reader; names are case-insensitive.
pub fn read_form_tolerant<T: FromParameter>(bytes: &[u8], lists: &[(&str, Style)]) -> Result<T, Vec<Violation>> {
    read_form_noting(bytes, lists, true, Notes::tolerant(Location::Body))
}

fn read_form_noting<T: FromParameter>(
    bytes: &[u8],
    lists: &[(&str, Style)],
    any_case: bool,
    mut notes: Notes,
) -> Result<T, Vec<Violation>> {
    let value = read(bytes, lists, any_case, &mut notes);
    match value {
        Some(value) if notes.is_empty() => Ok(value),
        _ => Err(notes.into_violations()),
    }
}

/// Writes a form; lists become repeated members.
pub fn write_form<T: ToParameter + ?Sized>(value: &T) -> String {
    write_form_with(value, &[])
}

/// Writes a form with styles for lists, by member name: numbered, `tags[0]=a&tags[1]=b`, or joined,
/// `tags=a,b`.
pub fn write_form_with<T: ToParameter + ?Sized>(value: &T, lists: &[(&str, Style)]) -> String {
    let raw = value.to_parameter();
    let fields = match &raw {
        Raw::Fields(fields) => fields.as_slice(),
        Raw::Text(_) | Raw::List(_) => &[],
    };
    let mut form = String::new();
    for list in lists_of(fields) {
        let name = &list[0].name;
        let style = style_of(name, lists).unwrap_or(Style::FORM);
        if list[0].is_item {
            style.write_query(name, &items(list), &mut form);
        } else {
            Style::FORM.write_query(name, &Raw::Text(Cow::Borrowed(&list[0].text)), &mut form);
        }
    }
    form
}

/// The name of a list whose items cannot be separated again, if any.
pub fn undivided<'l, T: ToParameter + ?Sized>(value: &T, lists: &[(&'l str, Style)]) -> Option<&'l str> {
    let raw = value.to_parameter();
    let Raw::Fields(fields) = &raw else { return None };
    let is_undivided = |name: &str, style: Style| {
        lists_of(fields).any(|list| list[0].name == name && !style.keeps_pairs(&items(list)))
    };
    lists.iter().find(|(name, style)| is_undivided(name, *style)).map(|(name, _)| *name)
}

/// Groups the items of each list; every other field is its own group.
fn lists_of<'f, 'a>(fields: &'f [Field<'a>]) -> impl Iterator<Item = &'f [Field<'a>]> {
    fields.chunk_by(|one, next| one.is_item && next.is_item && one.name == next.name)
}

fn items<'f>(list: &'f [Field<'_>]) -> Raw<'f> {
    Raw::List(list.iter().map(|item| Cow::Borrowed(item.text.as_ref())).collect())
}

/// The style of the member that starts the name.
fn style_of(name: &str, lists: &[(&str, Style)]) -> Option<Style> {
    let member = name.split('[').next().unwrap_or_default();
    lists.iter().find(|(list, _)| *list == member).map(|(_, style)| *style)
}

fn read<T: FromParameter>(bytes: &[u8], lists: &[(&str, Style)], any_case: bool, notes: &mut Notes) -> Option<T> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        notes.note("syntax", "is not UTF-8");
        return None;
    };
    let pairs = Pairs::query(text);
    let pairs = if any_case { pairs.any_case() } else { pairs };
    match fields(&pairs, lists) {
        Ok(fields) => T::from_parameter(Raw::Fields(fields), notes),
        Err(refusal) => {
            notes.note(refusal.code, refusal.detail);
            None
        }
    }
}

/// All fields: unknown ones are passed to the struct, which may refuse them.
fn fields<'a>(pairs: &Pairs<'a>, lists: &[(&str, Style)]) -> Result<Vec<Field<'a>>, Refusal> {
    let mut fields = Vec::new();
    for (name, value) in pairs.iter() {
        if !lists.iter().any(|(list, _)| pairs.is_name(name, list)) {
            fields.push(Field::new(name.clone(), pairs.decode(value)?));
        }
    }
    for (name, style) in lists {
        if let Some(Raw::List(texts)) = style.read_query(name, Shape::Array, None, pairs)? {
            fields.extend(texts.into_iter().map(|text| Field::new(Cow::Owned((*name).to_owned()), text)));
        }
    }
    Ok(fields)
}
