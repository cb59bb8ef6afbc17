//! `application/x-www-form-urlencoded`

use std::borrow::Cow;

use super::nested::{inside, outer};
use super::{Field, FormStyle, FromParameter, Pairs, Raw, Shape, Style, ToParameter};
use crate::json::{self, Members, Value};
use crate::text::Refusal;
use crate::violation::{Location, Notes, Step, Violations};

/// Reads a form; lists are repeated members. `styles` has the members that are written in another way.
pub fn read_form<T: FromParameter>(
    bytes: &[u8],
    styles: &[(&str, FormStyle)],
    any_case: bool,
) -> Result<T, Violations> {
    read_form_noting(bytes, styles, any_case, Notes::new(Location::Body))
}

/// The same for a tolerant reader; names are case-insensitive.
pub fn read_form_tolerant<T: FromParameter>(bytes: &[u8], styles: &[(&str, FormStyle)]) -> Result<T, Violations> {
    read_form_noting(bytes, styles, true, Notes::tolerant(Location::Body))
}

fn read_form_noting<T: FromParameter>(
    bytes: &[u8],
    styles: &[(&str, FormStyle)],
    any_case: bool,
    mut notes: Notes,
) -> Result<T, Violations> {
    let value = read(bytes, styles, any_case, &mut notes);
    match value {
        Some(value) if notes.is_empty() => Ok(value),
        _ => Err(notes.into_violations().into()),
    }
}

/// Writes a form; lists become repeated members, members of objects have names in brackets.
pub fn write_form<T: ToParameter + ?Sized>(value: &T) -> String {
    write_form_with(value, &[])
}

/// Writes a form with styles for some members.
pub fn write_form_with<T: ToParameter + ?Sized>(value: &T, styles: &[(&str, FormStyle)]) -> String {
    let raw = value.to_parameter();
    let fields = match &raw {
        Raw::Fields(fields) => fields.as_slice(),
        Raw::Text(_) | Raw::List(_) => &[],
    };
    let mut form = String::new();
    for group in groups(fields, styles) {
        let name = &group[0].name;
        match styled(name, styles) {
            Some((object, FormStyle::Object(style))) => style.write_query(object, &members(group, object), &mut form),
            Some((object, FormStyle::Spread(style, _))) => style.write_query("", &members(group, object), &mut form),
            Some((list, FormStyle::JsonItems)) if name == list => {
                Style::FORM.write_query(name, &json_items(group[0].text.as_bytes()), &mut form);
            }
            Some((_, FormStyle::Pairs(style))) if group[0].is_item => style.write_query(name, &items(group), &mut form),
            Some((_, FormStyle::Pairs(style))) => {
                style.of_text().write_query(name, &Raw::Text(Cow::Borrowed(&group[0].text)), &mut form);
            }
            Some((_, FormStyle::Json | FormStyle::JsonItems)) | None if group[0].is_item => {
                Style::FORM.write_query(name, &items(group), &mut form);
            }
            Some((_, FormStyle::Json | FormStyle::JsonItems)) | None => {
                Style::FORM.write_query(name, &Raw::Text(Cow::Borrowed(&group[0].text)), &mut form);
            }
        }
    }
    form
}

/// The name of a list or object whose texts cannot be separated again, if any.
pub fn undivided<'l, T: ToParameter + ?Sized>(value: &T, styles: &[(&'l str, FormStyle)]) -> Option<&'l str> {
    let raw = value.to_parameter();
    let Raw::Fields(fields) = &raw else { return None };
    let is_undivided = |name: &str, style: FormStyle| {
        let is_of = |group: &&[Field<'_>]| styled(&group[0].name, styles).is_some_and(|(member, _)| member == name);
        groups(fields, styles).filter(is_of).any(|group| match style {
            FormStyle::Pairs(style) => group[0].name == name && group[0].is_item && !style.keeps_pairs(&items(group)),
            FormStyle::Object(style) => !style.keeps_pairs(&members(group, name)),
            FormStyle::Spread(..) | FormStyle::Json | FormStyle::JsonItems => false,
        })
    };
    styles.iter().find(|(name, style)| is_undivided(name, *style)).map(|(name, _)| *name)
}

/// Groups the items of each list, and the members of each object in one text; every other field is its own group.
fn groups<'f, 'a>(fields: &'f [Field<'a>], styles: &[(&str, FormStyle)]) -> impl Iterator<Item = &'f [Field<'a>]> {
    fields.chunk_by(|one, next| {
        let object = |field: &Field<'_>| match styled(&field.name, styles)? {
            (object, FormStyle::Object(_) | FormStyle::Spread(..)) => Some(object),
            (_, FormStyle::Pairs(_) | FormStyle::Json | FormStyle::JsonItems) => None,
        };
        one.is_item && next.is_item && one.name == next.name || object(one).is_some() && object(one) == object(next)
    })
}

fn items<'f>(list: &'f [Field<'_>]) -> Raw<'f> {
    Raw::List(list.iter().map(|item| Cow::Borrowed(item.text.as_ref())).collect())
}

/// The fields of an object without its name: `a` of `name[a]`.
fn members<'f>(fields: &'f [Field<'_>], object: &str) -> Raw<'f> {
    let members = fields.iter().filter_map(|field| {
        let name = inside(field.name.strip_prefix(object)?)?;
        Some(Field::new(name, Cow::Borrowed(field.text.as_ref())))
    });
    Raw::Fields(members.collect())
}

/// The items of a JSON array, each as JSON.
pub(crate) fn json_items(array: &[u8]) -> Raw<'static> {
    let items = json::from_slice::<Vec<Value>>(array).unwrap_or_default();
    Raw::List(items.iter().map(|item| Cow::Owned(item.to_string())).collect())
}

/// The member with a style that a name is, or is inside of. Names of members may have brackets themselves.
fn styled<'s>(name: &str, styles: &[(&'s str, FormStyle)]) -> Option<(&'s str, FormStyle)> {
    let is_of = |member: &str| name.strip_prefix(member).is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
    styles.iter().copied().filter(|(member, _)| is_of(member)).max_by_key(|(member, _)| member.len())
}

fn read<T: FromParameter>(bytes: &[u8], styles: &[(&str, FormStyle)], any_case: bool, notes: &mut Notes) -> Option<T> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        notes.note("syntax", "is not UTF-8");
        return None;
    };
    let pairs = Pairs::query(text);
    let pairs = if any_case { pairs.any_case() } else { pairs };
    if let Some(name) = in_brackets(&pairs, styles, T::MEMBERS).filter(|_| notes.is_strict()) {
        notes.enter(Step::Key(name.to_owned()));
        notes.note("type", "is given in brackets, not as JSON");
        notes.leave();
        return None;
    }
    match fields(&pairs, styles) {
        Ok(fields) => T::from_parameter(Raw::Fields(fields), notes),
        Err(refusal) => {
            notes.note(refusal.code, refusal.detail);
            None
        }
    }
}

/// A member that is JSON, but whose members are given in brackets; `name[]` is an item. A member of the form may have such a
/// name itself.
fn in_brackets<'s>(
    pairs: &Pairs<'_>,
    styles: &[(&'s str, FormStyle)],
    members: Option<&'static Members>,
) -> Option<&'s str> {
    let is_member = |found: &str| members.is_some_and(|members| members.find(found, 0).is_some());
    let is_split = |name: &str| {
        let is_inside = |found: &str| pairs.member_of(found, name).is_some_and(|member| !member.is_empty());
        pairs.names().any(|found| is_inside(found) && !is_member(found))
    };
    let is_json = |style: &FormStyle| matches!(style, FormStyle::Json | FormStyle::JsonItems);
    styles.iter().find(|(name, style)| is_json(style) && is_split(name)).map(|(name, _)| *name)
}

/// All fields: unknown ones are passed to the struct, which may refuse them.
fn fields<'a>(pairs: &Pairs<'a>, styles: &[(&str, FormStyle)]) -> Result<Vec<Field<'a>>, Refusal> {
    let mut fields = Vec::new();
    for (name, value) in pairs.iter() {
        let object = styles.iter().find(|(_, style)| style.is_spread_to(pairs, name));
        if let Some((object, _)) = object {
            fields.push(Field::new(outer(object, name), pairs.decode(value)?));
        } else if !styles.iter().any(|(styled, style)| *style != FormStyle::Json && pairs.is_name(name, styled)) {
            fields.push(Field::new(name.clone(), pairs.decode(value)?));
        }
    }
    for (name, style) in styles {
        let raw = match style {
            FormStyle::Pairs(style) => style.read_query(name, Shape::Array, None, pairs)?,
            FormStyle::Object(style) => style.read_query(name, Shape::Object, None, pairs)?,
            FormStyle::Spread(..) | FormStyle::Json => None,
            FormStyle::JsonItems => match Style::FORM.read_query(name, Shape::Array, None, pairs)? {
                Some(Raw::List(texts)) => Some(Raw::List(vec![json_array(texts)])),
                other => other,
            },
        };
        match raw {
            Some(Raw::List(texts)) => {
                fields.extend(texts.into_iter().map(|text| Field::new((*name).to_owned(), text)));
            }
            Some(Raw::Fields(members)) => {
                fields.extend(members.into_iter().map(|member| Field::new(outer(name, &member.name), member.text)));
            }
            Some(Raw::Text(_)) | None => {}
        }
    }
    Ok(fields)
}

/// The JSON array of these items; many clients write the array as one text.
fn json_array(texts: Vec<Cow<'_, str>>) -> Cow<'_, str> {
    match <[_; 1]>::try_from(texts) {
        Ok([text]) if text.trim_start().starts_with('[') => text,
        Ok([text]) => Cow::Owned(format!("[{text}]")),
        Err(texts) => Cow::Owned(format!("[{}]", texts.join(","))),
    }
}
