//! The values of the parts, for rules about the whole body.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use super::ReadError;
use crate::json::{self, Read};
use crate::rule::{Rule, check_schemas, has_schema};
use crate::violation::Notes;

/// The value of a part that is not read, such as a file: it is any text.
const FILE: &str = "file";

/// The parts as the members of an object; `None` if no rule is about it.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Option<Arc<Mutex<Object>>>);

#[derive(Debug)]
struct Object {
    members: Map<String, Value>,
    /// Number of bytes that further parts may have.
    room: u64,
    limit: u64,
}

impl Values {
    /// An empty object, whose values may have at most `limit` bytes together.
    pub(super) fn new(rules: &[Rule<'_>], limit: u64) -> Self {
        let object = || Arc::new(Mutex::new(Object { members: Map::new(), room: limit, limit }));
        Self(has_schema(rules).then(object))
    }

    /// A part has begun; a repeated one is an item of a list.
    pub(super) fn begin(&self, name: &str, repeated: bool) {
        let Some(mut object) = self.object() else { return };
        let file = Value::String(FILE.to_owned());
        match object.members.get_mut(name) {
            Some(Value::Array(items)) if repeated => items.push(file),
            _ => {
                let value = if repeated { Value::Array(vec![file]) } else { file };
                object.members.insert(name.to_owned(), value);
            }
        }
    }

    /// The text of the part that has begun, which is a `T`.
    pub(super) fn text<T: Read>(&self, name: &str, text: &str) -> Result<(), ReadError> {
        self.set(name, text.len(), || {
            let string = Value::String(text.to_owned());
            let is_string = json::from_slice_strict::<T>(string.to_string().as_bytes()).is_ok();
            // `True` and `+1` are not JSON.
            let literal = || serde_json::from_str(text.trim_start_matches('+').to_ascii_lowercase().as_str()).ok();
            if is_string { Some(string) } else { literal() }
        })
    }

    /// The JSON of the part that has begun.
    pub(super) fn json(&self, name: &str, json: &[u8]) -> Result<(), ReadError> {
        self.set(name, json.len(), || serde_json::from_slice(json).ok())
    }

    fn set(&self, name: &str, bytes: usize, value: impl FnOnce() -> Option<Value>) -> Result<(), ReadError> {
        let Some(mut object) = self.object() else { return Ok(()) };
        let Some(room) = object.room.checked_sub(bytes as u64) else {
            let limit = object.limit;
            return Err(ReadError::TooLarge(format!("the parts other than files have more than {limit} bytes")));
        };
        object.room = room;
        let begun = match object.members.get_mut(name) {
            Some(Value::Array(items)) => items.last_mut(),
            member => member,
        };
        if let Some(begun) = begun {
            *begun = value().unwrap_or_default();
        }
        Ok(())
    }

    /// Checks the schemas among the rules.
    pub(super) fn check(&self, rules: &[Rule<'_>], at: &mut Notes) {
        if let Some(mut object) = self.object() {
            let members = std::mem::take(&mut object.members);
            check_schemas(&Value::Object(members), rules, at);
        }
    }

    fn object(&self) -> Option<MutexGuard<'_, Object>> {
        let object = self.0.as_ref()?;
        Some(object.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::Values;
    use crate::rule::{Rule, Schema};
    use crate::violation::{Location, Notes};

    static TYPES: Schema = Schema::new(
        r#"{ "properties": { "a": { "type": "number" }, "b": { "type": "boolean" }, "c": { "type": "string" } } }"#,
    );
    static RULES: &[Rule<'static>] = &[Rule::Schema(&TYPES)];

    /// The pointers of the texts that do not have their types, if the texts may have 10 bytes.
    fn refused(a: &str, b: &str, c: &str) -> Result<Vec<String>, String> {
        let values = Values::new(RULES, 10);
        for name in ["a", "b", "c"] {
            values.begin(name, false);
        }
        let read = || {
            values.text::<f64>("a", a)?;
            values.text::<bool>("b", b)?;
            values.text::<String>("c", c)
        };
        read().map_err(|error| error.to_string())?;
        let mut notes = Notes::new(Location::Body);
        values.check(RULES, &mut notes);
        Ok(notes.into_violations().into_iter().map(|violation| violation.pointer).collect())
    }

    #[test]
    fn texts_have_the_types_that_they_were_read_as() {
        assert_eq!(refused("1", "true", "1"), Ok(Vec::new()));
        assert_eq!(refused("+1E2", "True", "1"), Ok(Vec::new()));
        assert_eq!(refused("x", "1", "x"), Ok(vec!["/a".to_owned(), "/b".to_owned()]));
    }

    #[test]
    fn the_values_are_bounded_together() {
        let bounded = Err("the parts other than files have more than 10 bytes".to_owned());
        assert_eq!(refused("1", "true", "123456"), bounded);
    }
}
