//! Identifiers that the service has answered, so that other operations can be called with them.

use std::collections::HashMap;

use fastrand::Rng;
use serde_json::Value;
use specwright_exchange::{Operation, Request, Sent};

/// The most values that are kept for a parameter.
const KEPT: usize = 20;

/// How deep identifiers are searched in a body.
const DEEPEST: usize = 4;

/// Values for path parameters.
#[derive(Default)]
pub(super) struct Known {
    /// By the name of a path parameter, or by the template before it.
    values: HashMap<String, Vec<Value>>,
}

impl Known {
    /// Takes identifiers from a successful answer.
    pub(super) fn learn(
        &mut self,
        operation: &Operation,
        names: &[&str],
        location: Option<&str>,
        body: Option<&Value>,
    ) {
        let collection = operation.path.trim_end_matches('/');
        if let Some(last) = location.and_then(|url| url.trim_end_matches('/').rsplit('/').next()) {
            self.keep(collection, &Value::String(last.to_owned()));
        }
        if let Some(body) = body {
            self.search(collection, names, body, 0);
        }
    }

    fn search(&mut self, collection: &str, names: &[&str], value: &Value, depth: usize) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    if member.is_string() || member.is_number() {
                        if name == "id" && depth < 3 {
                            self.keep(collection, member);
                        }
                        if names.contains(&name.as_str()) {
                            self.keep(name, member);
                        }
                    } else if depth < DEEPEST {
                        self.search(collection, names, member, depth + 1);
                    }
                }
            }
            Value::Array(items) if depth < DEEPEST => {
                for item in items.iter().take(KEPT) {
                    self.search(collection, names, item, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn keep(&mut self, key: &str, value: &Value) {
        let values = self.values.entry(key.to_owned()).or_default();
        if !values.contains(value) {
            if values.len() == KEPT {
                values.remove(0);
            }
            values.push(value.clone());
        }
    }

    /// Puts known values into the path of a request; returns whether there were any.
    pub(super) fn fill(&self, operation: &Operation, request: &mut Request, random: &mut Rng) -> bool {
        let mut is_changed = false;
        for (parameter, sent) in std::iter::zip(&operation.parameters, &mut request.parameters) {
            if parameter.within != "path" {
                continue;
            }
            let before = operation.path.split(&format!("/{{{}", parameter.name)).next().unwrap_or_default();
            let known = self.values.get(&parameter.name).or_else(|| self.values.get(before));
            let Some(value) = known.and_then(|values| random.choice(values)) else { continue };
            *sent = Sent::Value(value.clone());
            is_changed = true;
        }
        is_changed
    }
}
