//! What was created, so that it can be read, changed and deleted.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use specwright_exchange::{Hidden, Operation, Parameter, Values, escaped};

use crate::command::exchange;

/// Maximum number of records that are kept; the oldest is forgotten first.
const KEPT: usize = 1000;

/// Number of random identifiers that are tried for a new record.
const MADE: usize = 8;

/// The records by their paths; those that were deleted have no value.
#[derive(Default)]
pub(super) struct Records {
    records: IndexMap<String, Option<Value>>,
    /// Number of records that were created, by the path of their list.
    created: HashMap<String, u64>,
}

/// What the mock knows about the record of a request.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// Nothing.
    Nothing,
    /// The record.
    Record(Value),
    /// Members of the record, and its identifier; the description has the others.
    Members(Map<String, Value>, Option<Id>),
    /// It was deleted.
    Deleted,
}

/// The identifier of a record.
#[derive(Clone, Debug)]
pub(super) struct Id {
    /// The name of the path parameter.
    name: &'static str,
    /// The values that it may have, best first.
    values: Vec<Value>,
    /// Whether the record is new, so that an identifier in the request counts more.
    is_new: bool,
}

impl Id {
    /// That of the record in the path of a request.
    fn asked(name: &'static str, value: Value) -> Self {
        Self { name, values: forms(value).collect(), is_new: false }
    }

    /// The name of its member: that of the parameter, or `id`.
    fn member(&self, described: &[String]) -> Option<&'static str> {
        [self.name, "id"].into_iter().find(|name| described.iter().any(|found| found == name))
    }
}

/// The value, and the same as a text or a number, since the path and the body may differ in that.
fn forms(value: Value) -> impl Iterator<Item = Value> {
    let other = match &value {
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_number),
        Value::Number(number) => Some(Value::String(number.to_string())),
        _ => None,
    };
    [value].into_iter().chain(other)
}

impl Known {
    /// What is known, with the members of `made` for what is not; several records if the identifier may have several values,
    /// the best first. `described`: the names that may be known.
    pub(super) fn over(&self, made: &Value, described: &[String]) -> Vec<Value> {
        match (self, made) {
            (Self::Record(record), _) => vec![record.clone()],
            (Self::Members(members, id), Value::Object(made)) => {
                let mut whole = made.clone();
                let members = members.iter().filter(|(name, _)| described.contains(name));
                whole.extend(members.clone().map(|(name, member)| (name.clone(), member.clone())));
                let is_sent = |name: &str| members.clone().any(|(found, _)| found == name);
                let own = id.iter().filter_map(|id| Some((id, id.member(described)?)));
                let own = own.filter(|(id, name)| !(id.is_new && is_sent(name)));
                let with_id = own.flat_map(|(id, name)| id.values.iter().map(move |value| (name, value)));
                let mut all: Vec<Value> = with_id
                    .map(|(name, value)| {
                        let mut whole = whole.clone();
                        whole.insert(name.to_owned(), value.clone());
                        Value::Object(whole)
                    })
                    .collect();
                all.push(Value::Object(whole));
                all
            }
            (Self::Nothing | Self::Members(..) | Self::Deleted, _) => Vec::new(),
        }
    }
}

/// The operation that reads one record of a list, and the parameter that is its identifier.
fn reading(operations: &'static [Operation], list: &Operation) -> Option<(&'static Operation, &'static Parameter)> {
    operations.iter().filter(|operation| operation.method == "GET").find_map(|operation| {
        let parameter = operation.last_parameter()?;
        let is_of = operation.path.strip_prefix(&list.path)? == format!("/{{{}}}", parameter.name);
        is_of.then_some((operation, parameter))
    })
}

/// The path of a record in a list; `None` if it has no identifier.
fn path_in(list: &str, parameter: &Parameter, record: &Map<String, Value>) -> Option<String> {
    let id = record.get(&parameter.name).or(record.get("id"))?;
    Some(format!("{list}/{}", id.as_str().map_or_else(|| id.to_string(), escaped)))
}

impl Records {
    /// What is known about the record that a request reads, makes or changes, and the path of the record. `sent`: the value
    /// of its body.
    pub(super) fn known(
        &self,
        operations: &'static [Operation],
        operation: &'static Operation,
        path: &str,
        sent: Option<Value>,
        values: &mut Values<'static>,
        seed: u64,
    ) -> (String, Known) {
        let sent = match sent {
            Some(Value::Object(members)) => members,
            _ => Map::new(),
        };
        let mut path = path.to_owned();
        let mut id = values.last_in_path(operation, &path).map(|(parameter, value)| Id::asked(&parameter.name, value));
        match (operation.method.as_str(), reading(operations, operation)) {
            ("POST", Some((read, parameter))) => id = Some(self.new_id(&path, read, parameter, values, seed)),
            // The identifier is in the body.
            ("PUT" | "PATCH", Some((_, parameter))) => path = path_in(&path, parameter, &sent).unwrap_or(path),
            _ => {}
        }
        let known = match (operation.method.as_str(), self.records.get(&path)) {
            (_, Some(None)) => Known::Deleted,
            ("GET" | "DELETE", Some(Some(record))) => Known::Record(record.clone()),
            ("PUT" | "PATCH" | "POST", Some(Some(Value::Object(record)))) => {
                let mut members = record.clone();
                members.extend(sent);
                Known::Members(members, id)
            }
            ("PUT" | "PATCH" | "POST", _) => Known::Members(sent, id),
            _ => Known::Members(Map::new(), id),
        };
        (path, known)
    }

    /// An identifier that no record of the list has: its number if that is allowed, or else a random value.
    fn new_id(
        &self,
        list: &str,
        read: &'static Operation,
        parameter: &'static Parameter,
        values: &mut Values<'static>,
        seed: u64,
    ) -> Id {
        let is_free = |value: &Value| {
            let record = Map::from_iter([("id".to_owned(), value.clone())]);
            path_in(list, parameter, &record).is_some_and(|path| !self.records.contains_key(&path))
        };
        let first = self.created.get(list).copied().unwrap_or_default() + 1;
        let number = (first..).take(KEPT + 1).find(|number| is_free(&Value::from(*number))).unwrap_or(first);
        let validator = values.validator(read.named(), parameter.place(), Hidden::Ignored);
        let is_valid = |value: &Value| match validator.as_deref() {
            Some(Ok(validator)) => validator.is_valid(value),
            Some(Err(_)) | None => true,
        };
        let numbers = [Value::from(number), Value::String(number.to_string())].into_iter().filter(is_valid);
        let mut random = fastrand::Rng::with_seed(exchange::seed(seed, &format!("{} {list} {number}", read.id)));
        let made = (0..MADE).filter_map(|_| values.make(read.named(), parameter.place(), &mut random));
        Id {
            name: &parameter.name,
            values: numbers.chain(made.filter(is_free)).flat_map(forms).collect(),
            is_new: true,
        }
    }

    /// Keeps what a successful request has made of the record at a path. `answered`: the body of the answer.
    pub(super) fn learn(
        &mut self,
        operations: &'static [Operation],
        operation: &Operation,
        path: String,
        known: Known,
        answered: Option<Value>,
    ) {
        match (operation.method.as_str(), known, answered) {
            ("POST", _, Some(Value::Object(record))) => {
                let Some((_, parameter)) = reading(operations, operation) else { return };
                let Some(own) = path_in(&path, parameter, &record) else { return };
                *self.created.entry(path).or_default() += 1;
                self.records.insert(own, Some(Value::Object(record)));
            }
            ("PUT" | "PATCH", Known::Members(..), Some(answered)) => {
                self.records.insert(path, Some(answered));
            }
            ("PUT" | "PATCH", Known::Members(members, _), None) if self.records.contains_key(&path) => {
                self.records.insert(path, Some(Value::Object(members)));
            }
            ("DELETE", ..) if operation.last_parameter().is_some() => {
                self.records.insert(path, None);
            }
            _ => {}
        }
        while self.records.len() > KEPT {
            self.records.shift_remove_index(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use specwright_exchange::Document;

    use super::*;

    #[test]
    fn the_oldest_record_is_forgotten() {
        let text = "openapi: 3.1.0\npaths: { /pets: { post: {} }, '/pets/{id}': { get: {} } }";
        let document = Document::read("pets.yaml", |_| Ok(text.as_bytes().to_vec())).unwrap();
        let operations: &[Operation] = Vec::leak(document.operations());
        let create = operations.iter().find(|operation| operation.method == "POST").unwrap();
        let mut records = Records::default();
        // The texts of the first and the last id are in another order than the numbers.
        for id in (0..=KEPT).rev() {
            let known = Known::Members(Map::new(), None);
            records.learn(operations, create, "/pets".to_owned(), known, Some(json!({ "id": id })));
        }
        assert_eq!(records.records.len(), KEPT);
        assert!(records.records.contains_key("/pets/0") && !records.records.contains_key(&format!("/pets/{KEPT}")));
    }
}
