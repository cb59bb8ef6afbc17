//! Checks between records: unique keys, and existing references.

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use super::problem::Problems;
use crate::store::{
    Error, TenantStore,
    record::{Kind, Origin, Record, Resource, Value},
};

/// A record that has been seen.
#[derive(Clone, Debug)]
struct Seen {
    origin: Origin,
    /// The parent record.
    above: Value,
}

/// A reference to a record that has not been seen.
#[derive(Debug)]
struct Open {
    origin: Origin,
    resource: &'static Resource,
    path: Box<str>,
    member: &'static str,
    /// The required parent of the referenced record.
    above: Option<Value>,
}

/// Referenced records of a kind that have not been seen, by the text of their key.
#[derive(Debug)]
struct Unseen {
    resource: &'static Resource,
    references: BTreeMap<String, (Value, Vec<Open>)>,
}

/// Collects the keys and references of an import.
#[derive(Debug, Default)]
pub(super) struct Check {
    seen: HashMap<&'static str, HashMap<String, Seen>>,
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
        self.key(resource, record.origin, &values, path, problems);
        for (position, member) in resource.members.iter().enumerate().skip(above.len()) {
            let (Kind::Reference(target) | Kind::ReferenceWithin(target)) = member.kind else { continue };
            let (value, key) = (&values[position], values[position].to_string());
            if *value == Value::Null {
                continue;
            }
            let around = matches!(member.kind, Kind::ReferenceWithin(_)).then(|| values[position - 1].clone());
            let known = self.seen.get(target.name).and_then(|seen| seen.get(&key));
            if known.is_some_and(|seen| around.as_ref().is_none_or(|around| seen.above == *around)) {
                continue;
            }
            let unseen = Unseen { resource: target, references: BTreeMap::new() };
            let unseen = self.unseen.entry(target.name).or_insert(unseen);
            let (_, references) = unseen.references.entry(key).or_insert_with(|| (value.clone(), Vec::new()));
            references.push(Open {
                origin: record.origin,
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
        origin: Origin,
        values: &[Value],
        path: &str,
        problems: &mut Problems,
    ) {
        let mut parts = Vec::new();
        for (position, member) in resource.keys() {
            let value = &values[position];
            match value {
                // It will get a new id.
                Value::Null => return,
                Value::Integer(id) if matches!(member.kind, Kind::Id) => {
                    let highest = self.highest.entry(resource.table).or_default();
                    *highest = (*highest).max(*id);
                }
                _ => {}
            }
            parts.push((member.name, value));
        }
        let key = parts.iter().map(|(_, value)| value.to_string()).collect::<Vec<_>>().join("/");
        let above = resource.above.checked_sub(1).map_or(Value::Integer(0), |position| values[position].clone());
        match self.seen.entry(resource.name).or_default().entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Seen { origin, above });
            }
            Entry::Occupied(entry) => {
                let first = entry.get().origin;
                let what: Vec<_> = parts.iter().map(|(name, value)| format!("{name} {value}")).collect();
                let file = if first.file == origin.file { "" } else { " of another file" };
                let detail = format!("{path}{} is there already, in line {}{file}", what.join(" and "), first.line);
                problems.add(origin, Some(resource), detail);
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
            let keys: Vec<Value> = references.values().map(|(key, _)| key.clone()).collect();
            for ((key, (_, references)), found) in references.into_iter().zip(store.find(target, &keys)?) {
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

fn refuse(target: &Resource, id: &str, reference: &Open, problems: &mut Problems) {
    let Open { path, member, above, .. } = reference;
    let of_account = above.as_ref().map_or(String::new(), |above| format!(" of account {above}"));
    let detail = format!("{path}{member} is {id}, and there is no such {}{of_account}", target.one);
    problems.add(reference.origin, Some(reference.resource), detail);
}
