//! The allowed tools with the schemas of their arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use http::Method;
use jsonschema::Validator;
use rmcp::model::{self, ToolAnnotations};
use serde_json::{Map, Value};

use super::{Tier, Tool};

/// The tools that may be called.
#[derive(Debug)]
pub(super) struct Catalog {
    allowed: Tier,
    entries: BTreeMap<&'static str, Entry>,
    /// In the order of the description.
    listed: Vec<model::Tool>,
}

/// A tool with the schema of its arguments.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) tool: &'static Tool,
    schema: Arc<Map<String, Value>>,
    /// Made at the first call; `None` if the schema cannot be checked.
    validator: OnceLock<Option<Validator>>,
}

impl Catalog {
    /// The tools up to the tier `allowed`. `arguments` has a schema for each, and the types that these refer to.
    pub(super) fn new(
        tools: &'static [&'static [Tool]],
        arguments: &str,
        allowed: Tier,
    ) -> Result<Self, serde_json::Error> {
        let arguments: Value = serde_json::from_str(arguments)?;
        let (mut entries, mut listed) = (BTreeMap::new(), Vec::new());
        for tool in tools.iter().copied().flatten() {
            let schema = Arc::new(schema(&arguments, tool.name));
            if tool.tier <= allowed {
                listed.push(described(tool, &schema));
            }
            entries.insert(tool.name, Entry { tool, schema, validator: OnceLock::new() });
        }
        Ok(Self { allowed, entries, listed })
    }

    pub(super) fn listed(&self) -> &[model::Tool] {
        &self.listed
    }

    /// The tool with this name, or why it may not be called; `None` if there is none.
    pub(super) fn find(&self, name: &str) -> Option<Result<&Entry, String>> {
        let entry = self.entries.get(name)?;
        let Self { allowed, .. } = self;
        Some(if entry.tool.tier <= *allowed {
            Ok(entry)
        } else {
            let (tier, allowed) = (entry.tool.tier.word(), allowed.word());
            Err(format!("`{name}` is a tool of the tier `{tier}`; this server was started with `--allow {allowed}`"))
        })
    }
}

impl Entry {
    /// What is wrong with the arguments, a line each.
    pub(super) fn problems(&self, arguments: &Value) -> Vec<String> {
        /// A model corrects these first.
        const MOST: usize = 10;
        let Some(validator) = self.validator.get_or_init(|| self.validator()) else { return Vec::new() };
        validator.iter_errors(arguments).take(MOST).map(|error| problem(&error)).collect()
    }

    fn validator(&self) -> Option<Validator> {
        let mut schema = Value::Object(self.schema.as_ref().clone());
        let build = |schema: &Value| jsonschema::options().should_validate_formats(true).build(schema);
        let validator = build(&schema).or_else(|_| {
            drop_patterns(&mut schema);
            build(&schema)
        });
        match validator {
            Ok(validator) => Some(validator),
            Err(error) => {
                eprintln!("the arguments of `{}` are not checked: {error}", self.tool.name);
                None
            }
        }
    }
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

/// `body.Name: …`, the place and what is wrong there.
fn problem(error: &jsonschema::ValidationError<'_>) -> String {
    /// The message may quote a whole value.
    const LONGEST: usize = 300;
    let message = error.to_string();
    let message = match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    };
    let pointer = error.instance_path().to_string();
    let place = pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~");
    if place.is_empty() { message } else { format!("`{place}`: {message}") }
}

/// The schema of the arguments of a tool, with the types that it refers to.
fn schema(arguments: &Value, name: &str) -> Map<String, Value> {
    let Some(Value::Object(schema)) = arguments.get("tools").and_then(|tools| tools.get(name)) else {
        return Map::new();
    };
    let mut schema = schema.clone();
    let (mut reached, mut waiting) = (BTreeSet::new(), Vec::new());
    schema.values().for_each(|value| find_references(value, &mut waiting));
    let all = arguments.get("$defs");
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

fn described(tool: &'static Tool, schema: &Arc<Map<String, Value>>) -> model::Tool {
    let method = tool.operation.method();
    let reads = tool.tier == Tier::Read;
    let annotations = ToolAnnotations::new()
        .read_only(reads)
        .destructive(tool.destructive)
        .idempotent(reads || method.is_idempotent() || method == Method::TRACE);
    model::Tool::new(tool.name, tool.description, Arc::clone(schema)).annotate(annotations)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_brings_the_types_that_it_reaches() {
        let arguments = json!({
            "$defs": {
                "Pet": { "properties": { "owner": { "$ref": "#/$defs/Owner" } } },
                "Owner": { "properties": { "pets": { "items": { "$ref": "#/$defs/Pet" } } } },
                "Toy": {},
            },
            "tools": { "add": { "properties": { "body": { "$ref": "#/$defs/Pet" } } }, "list": {} },
        });
        let names = |tool| {
            let schema = schema(&arguments, tool);
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
