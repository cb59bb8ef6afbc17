//! Converts rows of files to records.

use std::fmt;

use generated_server::runtime::text::{nearest, quoted};
use serde::{
    Deserialize,
    de::{Deserializer, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{
    problem::Problems,
    value::{self, Given},
};
use crate::{
    domain::text::{has_nul, is_blank},
    store::record::{Kind, Place, Presence, Record, Resource, Value},
};

/// Finds the line of a part of the text.
#[derive(Debug)]
pub(super) enum Lines<'a> {
    /// The text of the file, and the last counted offset with its line.
    File(&'a str, usize, u32),
    /// Everything is on this line.
    One(u32),
}

/// A record being read.
struct Reading<'a> {
    resource: &'static Resource,
    record: Record,
    /// Whether each member has occurred.
    is_there: Vec<bool>,
    /// Its path, the prefix of messages: `Locations[0].`
    path: &'a str,
    is_nested: bool,
    is_good: bool,
}

/// The name of a member of a JSON object.
struct Name<'a>(std::borrow::Cow<'a, str>);

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self::File(text, 0, 1)
    }

    /// The line where a part of the text starts.
    pub(super) fn line(&mut self, part: &str) -> u32 {
        match self {
            Self::One(line) => *line,
            Self::File(text, counted, line) => {
                let offset = part.as_ptr().addr().saturating_sub(text.as_ptr().addr()).min(text.len());
                if offset < *counted {
                    (*counted, *line) = (0, 1);
                }
                let breaks = text[*counted..offset].matches('\n').count();
                *line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
                *counted = offset;
                *line
            }
        }
    }
}

/// Reads a record from valid JSON.
pub(super) fn object(
    resource: &'static Resource,
    text: &str,
    file: u32,
    lines: &mut Lines<'_>,
    problems: &mut Problems,
) -> Option<Record> {
    json(resource, text, (file, ""), false, lines, problems)
}

fn json(
    resource: &'static Resource,
    text: &str,
    (file, path): (u32, &str),
    is_nested: bool,
    lines: &mut Lines<'_>,
    problems: &mut Problems,
) -> Option<Record> {
    let place = Place { file, line: lines.line(text) };
    let mut reading = Reading::new(resource, place, path, is_nested);
    if text.starts_with('{') {
        let walked = members(text, &mut |name, value| reading.member(name, Given::Json(value), lines, problems));
        if walked.is_err() {
            reading.refuse(problems, "", "is no proper JSON");
        }
    } else if is_nested && !text.starts_with('[') {
        // A list of records with only one relevant member may hold just its values.
        let own = resource.members[resource.above].name;
        reading.member(own, Given::Json(text), lines, problems);
    } else {
        reading.refuse(problems, "", &format!("the record is {}, not an object", quoted(text)));
    }
    reading.finish(problems)
}

/// Reads a record from cells with column names.
pub(super) fn cells<'c>(
    resource: &'static Resource,
    place: Place,
    cells: impl Iterator<Item = (&'c str, &'c str)>,
    problems: &mut Problems,
) -> Option<Record> {
    let mut reading = Reading::new(resource, place, "", false);
    for (name, cell) in cells {
        reading.member(name, Given::Cell(cell), &mut Lines::One(place.line), problems);
    }
    reading.finish(problems)
}

impl<'a> Reading<'a> {
    fn new(resource: &'static Resource, place: Place, path: &'a str, is_nested: bool) -> Self {
        let record = Record {
            place,
            values: vec![Value::Null; resource.members.len()],
            below: vec![None; resource.below.len()],
        };
        let is_there = vec![false; resource.members.len() + resource.below.len()];
        Self { resource, record, is_there, path, is_nested, is_good: true }
    }

    fn refuse(&mut self, problems: &mut Problems, member: &str, detail: &str) {
        self.is_good = false;
        let blank = if member.is_empty() { "" } else { " " };
        problems.add(self.record.place, Some(self.resource), format!("{}{member}{blank}{detail}", self.path));
    }

    fn member(&mut self, name: &str, given: Given<'_>, lines: &mut Lines<'_>, problems: &mut Problems) {
        let resource = self.resource;
        let members = resource.members.iter().map(|member| member.name);
        let below = resource.below.iter().map(|below| below.name);
        let Some(position) = members.chain(below).position(|known| known.eq_ignore_ascii_case(name)) else {
            let members = resource.members.iter().map(|member| member.name);
            let known = members.chain(resource.below.iter().map(|below| below.name));
            let hint = nearest(name, &mut { known }).map_or_else(String::new, |near| format!("; perhaps `{near}`"));
            return self.refuse(problems, name, &format!("is no member of {}{hint}", resource.name));
        };
        if std::mem::replace(&mut self.is_there[position], true) {
            return self.refuse(problems, name, "is there twice");
        }
        let Some(member) = resource.members.get(position) else {
            return self.list(position - resource.members.len(), given, lines, problems);
        };
        if self.is_nested && position < resource.above {
            return self.refuse(problems, member.name, "is given by the record around it");
        }
        if given.is_nothing() && !matches!((&member.kind, given), (Kind::Json, Given::Json(_))) {
            return;
        }
        match value::read(&member.kind, given) {
            Ok(Value::Text(text)) if is_blank(&text) && matches!(member.presence, Presence::Required) => {
                self.refuse(problems, member.name, "is empty");
            }
            Ok(Value::Text(text)) if has_nul(&text) => self.refuse(problems, member.name, "holds U+0000"),
            Ok(Value::Text(text)) if matches!(member.kind, Kind::Text) && text.chars().count() > member.longest() => {
                let detail = format!("has {} characters, at most {}", text.chars().count(), member.longest());
                self.refuse(problems, member.name, &detail);
            }
            Ok(value) => self.record.values[position] = value,
            Err(detail) => self.refuse(problems, member.name, &detail),
        }
    }

    /// Reads nested records.
    fn list(&mut self, position: usize, given: Given<'_>, lines: &mut Lines<'_>, problems: &mut Problems) {
        let (Given::Json(text) | Given::Cell(text)) = given;
        let below = &self.resource.below[position];
        if given.is_nothing() {
            return;
        }
        let mut records = Vec::new();
        let mut index = 0;
        let mut is_good = true;
        let file = self.record.place.file;
        let read = elements(text, &mut |element| {
            let path = format!("{}{}[{index}].", self.path, below.name);
            index += 1;
            match json(below.resource, element, (file, &path), true, lines, problems) {
                Some(record) => records.push(record),
                None => is_good = false,
            }
        });
        self.is_good &= is_good;
        match read {
            Ok(()) => self.record.below[position] = Some(records),
            Err(_) => self.refuse(problems, below.name, &format!("is {}, not a list of records", quoted(text))),
        }
    }

    fn finish(mut self, problems: &mut Problems) -> Option<Record> {
        let resource = self.resource;
        for (position, member) in resource.members.iter().enumerate() {
            let is_absent = self.record.values[position] == Value::Null;
            let is_given_above = self.is_nested && position < resource.above;
            if !is_absent || is_given_above || !self.is_good {
                continue;
            }
            match member.presence {
                Presence::Required => self.refuse(problems, member.name, "is missing"),
                Presence::Otherwise(number) => self.record.values[position] = Value::Integer(number),
                Presence::OtherwiseText(text) => self.record.values[position] = Value::Text(text.into()),
                Presence::Optional | Presence::OtherwiseNow | Presence::OtherwiseWriter => {}
            }
        }
        let is_there = |name: &&str| {
            let position = resource.members.iter().position(|member| member.name == *name);
            position.is_some_and(|position| match &self.record.values[position] {
                Value::Text(text) => !is_blank(text),
                _ => false,
            })
        };
        if self.is_good && !resource.one_of.is_empty() && !resource.one_of.iter().any(is_there) {
            let detail = format!("one of {} has to be there", resource.one_of.join(", "));
            self.refuse(problems, "", &detail);
        }
        self.is_good.then_some(self.record)
    }
}

/// Calls `visit` for each member of a JSON object.
pub(super) fn members<'t>(text: &'t str, visit: &mut dyn FnMut(&str, &'t str)) -> serde_json::Result<()> {
    struct Walk<'v, 't>(&'v mut dyn FnMut(&str, &'t str));
    impl<'t> Visitor<'t> for Walk<'_, 't> {
        type Value = ();

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
            while let Some((Name(name), value)) = map.next_entry::<Name<'t>, &'t RawValue>()? {
                self.0(&name, value.get());
            }
            Ok(())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_map(Walk(visit))?;
    deserializer.end()
}

/// Calls `visit` for each element of a JSON array.
pub(super) fn elements<'t>(text: &'t str, visit: &mut dyn FnMut(&'t str)) -> serde_json::Result<()> {
    struct Walk<'v, 't>(&'v mut dyn FnMut(&'t str));
    impl<'t> Visitor<'t> for Walk<'_, 't> {
        type Value = ();

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'t>>(self, mut sequence: A) -> Result<(), A::Error> {
            while let Some(element) = sequence.next_element::<&'t RawValue>()? {
                self.0(element.get());
            }
            Ok(())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_seq(Walk(visit))?;
    deserializer.end()
}

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;
        impl<'de> Visitor<'de> for Borrow {
            type Value = Name<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(name.into()))
            }

            fn visit_str<E>(self, name: &str) -> Result<Name<'de>, E> {
                Ok(Name(name.to_owned().into()))
            }
        }
        deserializer.deserialize_str(Borrow)
    }
}
