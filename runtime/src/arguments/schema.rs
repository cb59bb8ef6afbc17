//! The schemas of arguments, and the checks of values.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

/// The file `arguments.json`.
#[derive(Debug)]
pub(crate) struct Schemas(Value);

/// What is wrong with a value.
#[derive(Debug)]
pub(crate) struct Problem {
    /// `body.Name`; empty for all values together.
    pub(crate) place: String,
    pub(crate) message: String,
}

impl Display for Problem {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => formatter.write_str(&self.message),
            place => write!(formatter, "`{place}`: {}", self.message),
        }
    }
}

impl Schemas {
    pub(crate) fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self)
    }

    /// The schema of the arguments of an operation, with the types that it refers to.
    pub(crate) fn of(&self, name: &str) -> Map<String, Value> {
        let Some(Value::Object(schema)) = self.0.get("operations").and_then(|all| all.get(name)) else {
            return Map::new();
        };
        let mut schema = schema.clone();
        let (mut reached, mut waiting) = (BTreeSet::new(), Vec::new());
        schema.values().for_each(|value| find_references(value, &mut waiting));
        let all = self.0.get("$defs");
        while let Some(name) = waiting.pop() {
            if reached.insert(name.clone())
                && let Some(definition) = all.and_then(|all| all.get(&name))
            {
                find_references(definition, &mut waiting);
            }
        }
        if !reached.is_empty() {
            let definition = |name: String| Some((name.clone(), all?.get(&name)?.clone()));
            schema.insert("$defs".to_owned(), reached.into_iter().filter_map(definition).collect());
        }
        schema
    }
}

/// Checks values against a schema. `None` if the schema cannot be checked, which standard error then says.
pub(crate) fn validator(name: &str, schema: &Map<String, Value>) -> Option<Validator> {
    let mut schema = Value::Object(schema.clone());
    let build = |schema: &Value| jsonschema::options().should_validate_formats(true).build(schema);
    let validator = build(&schema).or_else(|_| {
        drop_patterns(&mut schema);
        build(&schema)
    });
    match validator {
        Ok(validator) => Some(validator),
        Err(error) => {
            eprintln!("the arguments of `{name}` are not checked: {error}");
            None
        }
    }
}

/// What is wrong with the values. Only the first problems: the caller corrects these first.
pub(crate) fn problems(validator: &Validator, values: &Value) -> Vec<Problem> {
    const MOST: usize = 10;
    validator.iter_errors(values).take(MOST).map(|error| problem(&error)).collect()
}

/// Removes the patterns, some of which are not regular expressions of this engine. The service checks them.
fn drop_patterns(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            // A member that has this name in `properties` is not a string.
            members.retain(|name, value| name != "pattern" || !value.is_string());
            members.values_mut().for_each(drop_patterns);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_patterns),
        _ => {}
    }
}

fn problem(error: &ValidationError<'_>) -> Problem {
    /// The message may quote a whole value.
    const LONGEST: usize = 300;
    let message = error.to_string();
    let message = match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    };
    let pointer = error.instance_path().to_string();
    let place = pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~");
    match error.kind() {
        ValidationErrorKind::Required { property: Value::String(name) } => {
            let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            Problem { place, message: "is missing".to_owned() }
        }
        _ => Problem { place, message },
    }
}

/// Adds the names of the types that a schema refers to.
fn find_references(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(target) if name == "$ref" => {
                        names.extend(target.strip_prefix("#/$defs/").map(str::to_owned));
                    }
                    value => find_references(value, names),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| find_references(item, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_brings_the_types_that_it_reaches() {
        let schemas = Schemas(json!({
            "$defs": {
                "Pet": { "properties": { "owner": { "$ref": "#/$defs/Owner" } } },
                "Owner": { "properties": { "pets": { "items": { "$ref": "#/$defs/Pet" } } } },
                "Toy": {},
            },
            "operations": { "add": { "properties": { "body": { "$ref": "#/$defs/Pet" } } }, "list": {} },
        }));
        let names = |tool| {
            let schema = schemas.of(tool);
            schema.get("$defs").and_then(Value::as_object).map(|all| all.keys().cloned().collect::<Vec<_>>())
        };
        assert_eq!(names("add"), Some(vec!["Owner".to_owned(), "Pet".to_owned()]));
        assert_eq!(names("list"), None);
    }

    #[test]
    fn a_pattern_of_another_engine_is_not_checked() {
        let mut schema = json!({ "properties": { "pattern": { "type": "string", "pattern": "\\\\p{L}[^\\\\]]" } } });
        drop_patterns(&mut schema);
        assert_eq!(schema, json!({ "properties": { "pattern": { "type": "string" } } }));
    }
}
