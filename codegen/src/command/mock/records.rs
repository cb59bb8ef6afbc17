//! What was created, so that it can be read, changed and deleted.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use specwright_exchange::Operation;

/// Maximum number of records that are kept; the oldest is forgotten first.
const KEPT: usize = 1000;

/// The records by their paths; those that were deleted have no value.
#[derive(Default)]
pub(super) struct Records {
    records: IndexMap<String, Option<Value>>,
}

/// What the mock knows about the record at the path of a request.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// Nothing.
    Nothing,
    /// The record.
    Record(Value),
    /// The members of a new or changed record; the description has the others.
    Members(Map<String, Value>),
    /// It was deleted.
    Deleted,
}

impl Known {
    /// What is known, with the members of `made` for what is not. `described`: the names that may be known.
    pub(super) fn over(&self, made: &Value, described: &[String]) -> Option<Value> {
        match (self, made) {
            (Self::Record(record), _) => Some(record.clone()),
            (Self::Members(members), Value::Object(made)) => {
                let mut whole = made.clone();
                let members = members.iter().filter(|(name, _)| described.contains(name));
                whole.extend(members.map(|(name, member)| (name.clone(), member.clone())));
                Some(Value::Object(whole))
            }
            (Self::Nothing | Self::Members(_) | Self::Deleted, _) => None,
        }
    }
}

impl Records {
    /// What is known about the record that a request reads or changes. `sent`: the value of its body.
    pub(super) fn known(&self, operation: &Operation, path: &str, sent: Option<Value>) -> Known {
        let sent = match sent {
            Some(Value::Object(members)) => Some(members),
            _ => None,
        };
        match (operation.method.as_str(), self.records.get(path)) {
            (_, Some(None)) => Known::Deleted,
            ("GET", Some(Some(record))) => Known::Record(record.clone()),
            ("PUT" | "PATCH", Some(Some(Value::Object(record)))) => {
                let mut members = record.clone();
                members.extend(sent.unwrap_or_default());
                Known::Members(members)
            }
            ("POST", None) => sent.map_or(Known::Nothing, Known::Members),
            _ => Known::Nothing,
        }
    }

    /// Keeps what a successful request has made of a record. `answered`: the body of the answer.
    pub(super) fn learn(
        &mut self,
        operations: &[Operation],
        operation: &Operation,
        path: &str,
        known: Known,
        answered: Option<Value>,
    ) {
        match (operation.method.as_str(), known) {
            ("POST", _) => {
                let Some(record @ Value::Object(_)) = answered else { return };
                let prefix = format!("{}/{{", operation.path);
                let read = operations.iter().find(|other| {
                    let last = other.path.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix('}'));
                    other.method == "GET" && last.is_some_and(|name| !name.contains('/'))
                });
                let name = read.and_then(|read| read.path.strip_prefix(&prefix)?.strip_suffix('}'));
                let Some(id) = name.and_then(|name| record.get(name).or(record.get("id"))) else { return };
                let id = id.as_str().map_or_else(|| id.to_string(), specwright_exchange::escaped);
                self.records.insert(format!("{path}/{id}"), Some(record));
            }
            ("PUT" | "PATCH", Known::Members(members)) => {
                self.records.insert(path.to_owned(), Some(answered.unwrap_or(Value::Object(members))));
            }
            ("DELETE", _) if self.records.contains_key(path) => {
                self.records.insert(path.to_owned(), None);
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
        let operations = Document::read("pets.yaml", |_| Ok(text.as_bytes().to_vec())).unwrap().operations();
        let create = operations.iter().find(|operation| operation.method == "POST").unwrap();
        let mut records = Records::default();
        // The texts of the first and the last id are in another order than the numbers.
        for id in (0..=KEPT).rev() {
            let known = Known::Members(Map::new());
            records.learn(&operations, create, "/pets", known, Some(json!({ "id": id })));
        }
        assert_eq!(records.records.len(), KEPT);
        assert!(records.records.contains_key("/pets/0") && !records.records.contains_key(&format!("/pets/{KEPT}")));
    }
}
