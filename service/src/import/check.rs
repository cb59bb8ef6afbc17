//! Checks between records: unique keys, and existing references.

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use super::problem::Problems;
use crate::store::{
    Error, TenantStore,
    record::{Kind, Place, Record, Resource, Value},
};

/// The key of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    Number(i64),
    Text(String),
}

/// A record that has been seen.
#[derive(Clone, Debug)]
struct Seen {
    place: Place,
    /// The parent record.
    above: Value,
}

/// A reference to a record that has not been seen.
#[derive(Debug)]
struct Open {
    place: Place,
    resource: &'static Resource,
    path: Box<str>,
    member: &'static str,
    /// The required parent of the referenced record.
    above: Option<Value>,
}

/// Referenced records of a kind that have not been seen.
#[derive(Debug)]
struct Unseen {
    resource: &'static Resource,
    references: BTreeMap<Key, Vec<Open>>,
}

/// Collects the keys and references of an import.
#[derive(Debug, Default)]
pub(super) struct Check {
    seen: HashMap<&'static str, HashMap<Key, Seen>>,
    unseen: BTreeMap<&'static str, Unseen>,
    /// The highest id of each table.
    highest: BTreeMap<&'static str, i64>,
}

impl Check {
    /// Adds a record and its nested records.
    pub(super) fn note(&mut self, resource: &'static Resource, record: &Record, problems: &mut Problems) {
        self.record(resource, record, &[], "", problems);
    }

    fn record(
        &mut self,
        resource: &'static Resource,
        record: &Record,
        above: &[Value],
        path: &str,
        problems: &mut Problems,
    ) {
        let mut values = record.values.clone();
        for (value, above) in values.iter_mut().zip(above) {
            value.clone_from(above);
        }
        self.key(resource, record.place, &values, path, problems);
        for (position, member) in resource.members.iter().enumerate().skip(above.len()) {
            let (Kind::Reference(target) | Kind::Place(target)) = member.kind else { continue };
            let Some(key) = single(&values[position]) else { continue };
            let around = matches!(member.kind, Kind::Place(_)).then(|| values[position - 1].clone());
            let known = self.seen.get(target.name).and_then(|seen| seen.get(&key));
            if known.is_some_and(|seen| around.as_ref().is_none_or(|around| seen.above == *around)) {
                continue;
            }
            let unseen = Unseen { resource: target, references: BTreeMap::new() };
            let unseen = self.unseen.entry(target.name).or_insert(unseen);
            unseen.references.entry(key).or_default().push(Open {
                place: record.place,
                resource,
                path: path.into(),
                member: member.name,
                above: around,
            });
        }
        let own = resource.keys().last().map(|(position, _)| values[position].clone());
        let around: Vec<Value> = values.into_iter().take(resource.above).chain(own).collect();
        for (below, records) in resource.below.iter().zip(&record.below) {
            for (index, record) in records.iter().flatten().enumerate() {
                let path = format!("{path}{}[{index}].", below.name);
                self.record(below.resource, record, &around, &path, problems);
            }
        }
    }

    /// Adds the key of a record; reports a duplicate.
    fn key(
        &mut self,
        resource: &'static Resource,
        place: Place,
        values: &[Value],
        path: &str,
        problems: &mut Problems,
    ) {
        let mut parts = Vec::new();
        for (position, member) in resource.keys() {
            match &values[position] {
                // It will get a new id.
                Value::Null => return,
                Value::Integer(id) if matches!(member.kind, Kind::Id) => {
                    let highest = self.highest.entry(resource.table).or_default();
                    *highest = (*highest).max(*id);
                    parts.push((member.name, &values[position]));
                }
                value => parts.push((member.name, value)),
            }
        }
        let key = match parts.as_slice() {
            [(_, value)] => single(value),
            parts => Some(Key::Text(parts.iter().map(|(_, value)| shown(value)).collect::<Vec<_>>().join("/"))),
        };
        let Some(key) = key else { return };
        let above = resource.above.checked_sub(1).map_or(Value::Integer(0), |position| values[position].clone());
        match self.seen.entry(resource.name).or_default().entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Seen { place, above });
            }
            Entry::Occupied(entry) => {
                let first = entry.get().place;
                let what: Vec<_> = parts.iter().map(|(name, value)| format!("{name} {}", shown(value))).collect();
                let file = if first.file == place.file { "" } else { " of another file" };
                let detail = format!("{path}{} is there already, in line {}{file}", what.join(" and "), first.line);
                problems.add(place, Some(resource), detail);
            }
        }
    }

    /// Looks up unseen records in the store. Returns the highest id of each table.
    pub(super) fn finish(
        self,
        store: &TenantStore,
        problems: &mut Problems,
    ) -> Result<BTreeMap<&'static str, i64>, Error> {
        for Unseen { resource: target, references } in self.unseen.into_values() {
            let seen = self.seen.get(target.name);
            let keys: Vec<Value> = references.keys().map(value).collect();
            for ((key, references), found) in references.into_iter().zip(store.find(target, &keys)?) {
                let found = seen.and_then(|seen| seen.get(&key)).map(|seen| seen.above.clone()).or(found);
                for reference in references {
                    let is_there = match (&found, &reference.above) {
                        (None, _) => false,
                        (Some(_), None) => true,
                        (Some(found), Some(above)) => found == above,
                    };
                    if !is_there {
                        refuse(target, &key, &reference, problems);
                    }
                }
            }
        }
        Ok(self.highest)
    }
}

fn refuse(target: &Resource, key: &Key, reference: &Open, problems: &mut Problems) {
    let (path, member, id) = (&reference.path, reference.member, shown(&value(key)));
    let detail = match &reference.above {
        None => format!("{path}{member} is {id}, and there is no such {}", target.one),
        Some(above) => {
            format!("{path}{member} is {id}, and there is no such {} of account {}", target.one, shown(above))
        }
    };
    problems.add(reference.place, Some(reference.resource), detail);
}

fn single(value: &Value) -> Option<Key> {
    match value {
        Value::Null | Value::Real(_) | Value::Bytes(_) => None,
        Value::Integer(number) => Some(Key::Number(*number)),
        Value::Text(text) => Some(Key::Text(text.clone())),
    }
}

fn value(key: &Key) -> Value {
    match key {
        Key::Number(number) => Value::Integer(*number),
        Key::Text(text) => Value::Text(text.clone()),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null | Value::Bytes(_) => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
    }
}
