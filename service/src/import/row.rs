//! Converts rows of files to records.

use std::collections::BTreeMap;

use generated_server::runtime::{
    json,
    text::{nearest, quoted},
};

use super::{problem::Problems, value};
use crate::{
    domain::text::{has_nul, is_blank},
    store::record::{Kind, Origin, Presence, Record, Resource, Value},
};

/// A record that is being read.
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

/// Reads a record from the text of a JSON value.
pub(super) fn object(
    resource: &'static Resource,
    origin: Origin,
    text: &str,
    problems: &mut Problems,
) -> Option<Record> {
    match json::from_slice_strict::<json::Value>(text.as_bytes()) {
        Ok(value) => json(resource, origin, &value, ("", false), problems),
        Err(violations) => {
            for violation in violations {
                let member = violation.pointer.trim_start_matches('/').replace('/', ".");
                problems.add(origin, Some(resource), format!("{member} {}", violation.detail));
            }
            None
        }
    }
}

fn json(
    resource: &'static Resource,
    origin: Origin,
    value: &json::Value,
    (path, is_nested): (&str, bool),
    problems: &mut Problems,
) -> Option<Record> {
    let mut reading = Reading::new(resource, origin, path, is_nested);
    match value {
        json::Value::Object(members) => {
            for (name, value) in members {
                reading.member(name, Some(value), problems);
            }
        }
        // A list of records that have but one interesting member may give just that.
        value if is_nested && value.as_array().is_none() => {
            reading.member(resource.members[resource.above].name, Some(value), problems);
        }
        value => {
            let detail = format!("the record is {}, not an object", quoted(&value.to_string()));
            reading.refuse(problems, "", &detail);
        }
    }
    reading.finish(problems)
}

/// Reads a record from cells with column names.
pub(super) fn cells<'c>(
    resource: &'static Resource,
    origin: Origin,
    cells: impl Iterator<Item = (&'c str, &'c str)>,
    problems: &mut Problems,
) -> Option<Record> {
    let mut reading = Reading::new(resource, origin, "", false);
    for (name, cell) in cells {
        let member = resource.members.iter().find(|member| member.name.eq_ignore_ascii_case(name));
        let value = value::of_cell(member.map(|member| &member.kind), cell);
        reading.member(name, (!cell.is_empty()).then_some(&value), problems);
    }
    reading.finish(problems)
}

impl<'a> Reading<'a> {
    fn new(resource: &'static Resource, origin: Origin, path: &'a str, is_nested: bool) -> Self {
        let record = Record {
            origin,
            values: vec![Value::Null; resource.members.len()],
            names: BTreeMap::new(),
            below: vec![None; resource.below.len()],
        };
        let is_there = vec![false; resource.members.len() + resource.below.len()];
        Self { resource, record, is_there, path, is_nested, is_good: true }
    }

    fn refuse(&mut self, problems: &mut Problems, member: &str, detail: &str) {
        self.is_good = false;
        let blank = if member.is_empty() { "" } else { " " };
        problems.add(self.record.origin, Some(self.resource), format!("{}{member}{blank}{detail}", self.path));
    }

    /// Reads a member; an empty cell is nothing.
    fn member(&mut self, name: &str, given: Option<&json::Value>, problems: &mut Problems) {
        let resource = self.resource;
        let members = resource.members.iter().map(|member| member.name);
        let mut names = members.chain(resource.below.iter().map(|below| below.name));
        let Some(position) = names.clone().position(|known| known.eq_ignore_ascii_case(name)) else {
            let hint = nearest(name, &mut names).map_or_else(String::new, |near| format!("; perhaps `{near}`"));
            return self.refuse(problems, name, &format!("is not a member of {}{hint}", resource.name));
        };
        if std::mem::replace(&mut self.is_there[position], true) {
            return self.refuse(problems, name, "is there twice");
        }
        let Some(given) = given else { return };
        let Some(member) = resource.members.get(position) else {
            return self.list(position - resource.members.len(), given, problems);
        };
        if self.is_nested && position < resource.above {
            return self.refuse(problems, member.name, "is given by the record around it");
        }
        if given.is_null() && !matches!(member.kind, Kind::Json) {
            return;
        }
        match value::read(&member.kind, given) {
            Ok(Value::Text(text)) if is_blank(&text) && matches!(member.presence, Presence::Required) => {
                self.refuse(problems, member.name, "is empty");
            }
            Ok(Value::Text(text)) if has_nul(&text) => self.refuse(problems, member.name, "holds U+0000"),
            Ok(Value::Text(text)) if matches!(member.kind, Kind::Text) && text.chars().count() > member.most => {
                let detail = format!("has {} characters, at most {}", text.chars().count(), member.most);
                self.refuse(problems, member.name, &detail);
            }
            Ok(value) => self.record.values[position] = value,
            Err(detail) => self.refuse(problems, member.name, &detail),
        }
    }

    /// Reads a list of nested records.
    fn list(&mut self, position: usize, given: &json::Value, problems: &mut Problems) {
        let below = &self.resource.below[position];
        if given.is_null() {
            return;
        }
        let Some(values) = given.as_array() else {
            let detail = format!("is {}, not a list of records", quoted(&given.to_string()));
            return self.refuse(problems, below.name, &detail);
        };
        let mut records = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let path = format!("{}{}[{index}].", self.path, below.name);
            match json(below.resource, self.record.origin, value, (&path, true), problems) {
                Some(record) => records.push(record),
                None => self.is_good = false,
            }
        }
        self.record.below[position] = Some(records);
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
