//! Translates schemas of every version of OpenAPI to JSON Schema 2020-12, for a validator that is not ours.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::document::Document;
use crate::format;
use crate::hidden::WRITE_ONLY;
use crate::place::Direction;

/// The formats that have the same meaning for JSON Schema and the generated server, and that both check.
const FORMATS: &[&str] = &["date", "date-time", "email", "ipv4", "ipv6", "uuid", "uri"];

/// The formats with one fixed form of text, so that patterns and lengths are ignored.
const TYPED: &[&str] =
    &["byte", "date", "date-time", "date-time-local", "decimal", "duration", "ipv4", "ipv6", "time", "uuid"];

/// A marker of our own: an `allOf` of the schemas of one member.
pub(crate) const BOTH: &str = "x-both";

/// How strictly `oneOf` and `additionalProperties` are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// As they are written.
    Strict,
    /// As their authors mean them. Variants may overlap, parts of an `allOf` allow each other's members, a
    /// date ignores `pattern` and length, and a required member is sent even if another part of the `allOf`
    /// calls it read-only.
    Meant,
}

/// The treatment of hidden members: those that are read-only in requests, or write-only in responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// A sender omits them.
    Absent,
    /// A receiver ignores them, because they only SHOULD NOT be sent (OpenAPI 3.0.3, Schema Object).
    Ignored,
}

/// A validator of the values of one direction.
pub fn validator(
    document: &Document,
    schema: &Value,
    direction: Direction,
    reading: Reading,
    hidden: Hidden,
) -> Result<jsonschema::Validator, String> {
    let mut translation = Translation {
        document,
        direction,
        reading,
        hidden,
        seen: Seen::default(),
        definitions: BTreeMap::new(),
        waiting: Vec::new(),
    };
    let mut root = translation.schema(schema);
    let mut definitions = Map::new();
    while let Some((name, (reference, seen))) = translation.waiting.pop() {
        let target = document.find(&reference).cloned().unwrap_or(Value::Bool(true));
        translation.seen = seen;
        let target = translation.schema(&target);
        definitions.insert(name, target);
    }
    if let Value::Object(root) = &mut root {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(true);
    let options = match direction {
        Direction::Request => format::of_requests(options),
        Direction::Response => options,
    };
    options.build(&root).map_err(|error| error.to_string())
}

struct Translation<'d> {
    document: &'d Document,
    direction: Direction,
    reading: Reading,
    hidden: Hidden,
    /// The members of all parts of the `allOf` that the schema belongs to.
    seen: Seen,
    /// The name of each schema that is referred to, together with the members of the `allOf` around the
    /// reference.
    definitions: BTreeMap<Reference, String>,
    /// References that are not translated yet.
    waiting: Vec<(String, Reference)>,
}

/// A reference and the members that are known at its place.
type Reference = (String, Seen);

/// The members in the parts of an `allOf`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    /// Members that a part requires, describes and does not hide.
    shown: BTreeSet<String>,
    /// Members that a part hides.
    hidden: BTreeSet<String>,
}

impl Translation<'_> {
    fn schema(&mut self, schema: &Value) -> Value {
        let Value::Object(members) = schema else {
            return if schema.is_boolean() { schema.clone() } else { Value::Bool(true) };
        };
        let before = self.seen.clone();
        if self.reading == Reading::Meant && ["allOf", "oneOf", "anyOf"].iter().any(|word| members.contains_key(*word))
        {
            look(self.document, schema, self.direction, &mut self.seen, 0);
        }
        let translated = self.object(members);
        self.seen = before;
        translated
    }

    fn object(&mut self, members: &Map<String, Value>) -> Value {
        let mut translated = Map::new();
        if let Some(Value::String(reference)) = members.get("$ref") {
            translated.insert("$ref".to_owned(), Value::String(self.reference(reference)));
            if self.document.is_old {
                // OpenAPI 3.0 ignores keywords next to `$ref`, but authors who write `nullable: true` there mean it.
                return if nullable(members) {
                    json!({ "anyOf": [{ "type": "null" }, translated] })
                } else {
                    Value::Object(translated)
                };
            }
        }
        for (name, member) in members {
            if let Some(member) = self.keyword(members, name, member) {
                translated.insert(name.clone(), member);
            }
        }
        if let (Reading::Meant, Some(variants)) = (self.reading, members.get("oneOf").and_then(|all| self.list(all))) {
            let any = json!({ "anyOf": variants });
            match translated.get_mut("allOf").and_then(Value::as_array_mut) {
                Some(all) => all.push(any),
                None => {
                    translated.insert("allOf".to_owned(), json!([any]));
                }
            }
        }
        if let Some(width) = self.width(members) {
            translated.insert(format::WIDTH.to_owned(), json!(width));
        }
        exclude(&mut translated, members, "minimum", "exclusiveMinimum");
        exclude(&mut translated, members, "maximum", "exclusiveMaximum");
        if nullable(members) {
            return json!({ "anyOf": [{ "type": "null" }, translated] });
        }
        Value::Object(translated)
    }

    /// The format of the numbers that the server reads; a client may read others.
    fn width(&self, members: &Map<String, Value>) -> Option<&'static str> {
        if self.direction == Direction::Response || members.contains_key("enum") || members.contains_key("const") {
            return None;
        }
        let types = said_types(members);
        if types.contains(&"number") {
            ["float", "decimal"].into_iter().find(|format| members.get("format").is_some_and(|said| said == format))
        } else {
            types.contains(&"integer").then(|| format::width(members))
        }
    }

    fn keyword(&mut self, schema: &Map<String, Value>, name: &str, member: &Value) -> Option<Value> {
        match name {
            "type" => types(member),
            "enum" => {
                let values = member.as_array().filter(|values| !values.is_empty())?;
                Some(values.iter().map(|value| as_said(schema, value)).collect())
            }
            "const" | "dependentRequired" => Some(member.clone()),
            // They are not checked (W0402), since many authors mean the length of the bytes.
            "minLength" | "maxLength" | "pattern" if is_base64(schema) => None,
            "minLength" | "maxLength" | "pattern" if self.reading == Reading::Meant && is_typed(schema) => None,
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
            | "maxContains" => member.as_u64().map(|_| member.clone()),
            "minimum" | "maximum" => member.as_f64().map(|_| member.clone()),
            "exclusiveMinimum" | "exclusiveMaximum" => member.as_f64().map(|_| member.clone()),
            "multipleOf" => member.as_f64().filter(|number| *number > 0.0).map(|_| member.clone()),
            "uniqueItems" => member.as_bool().map(Value::Bool),
            "pattern" => Some(anchored(member.as_str()?)).filter(|pattern| compiles(pattern)).map(Value::String),
            "format" => {
                let is_request = self.direction == Direction::Request;
                let is_checked = |format: &&str| FORMATS.contains(format) || is_request && format::is_own(format);
                let format = member.as_str().map(usual).filter(is_checked)?;
                let listed = schema.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty());
                let is_meant = listed.is_none_or(|values| values.iter().any(|value| has_format(value, format)));
                is_meant.then(|| json!(format))
            }
            "required" => {
                let names = member.as_array()?.iter().filter_map(Value::as_str);
                let described = |name: &str| schema.get("properties").and_then(|all| all.get(name));
                let Seen { shown, hidden } = &self.seen;
                let is_hidden = |name: &str| hidden.contains(name) && !shown.contains(name);
                Some(names.filter(|name| !self.is_hidden(name, described(name)) && !is_hidden(name)).collect())
            }
            "properties" => {
                let members = member.as_object()?;
                let mut translated = Map::new();
                for (name, member) in members {
                    let member = match (self.is_hidden(name, Some(member)), self.hidden, self.direction) {
                        (false, ..) => self.inner(member),
                        (true, Hidden::Absent, _) => Value::Bool(false),
                        (true, Hidden::Ignored, Direction::Request) => Value::Bool(true),
                        // The annotation remains, so that the member is found.
                        (true, Hidden::Ignored, Direction::Response) => json!({ WRITE_ONLY: true }),
                    };
                    translated.insert(name.clone(), member);
                }
                Some(Value::Object(translated))
            }
            "patternProperties" if !self.document.is_old => {
                let members = member.as_object()?.iter().map(|(pattern, member)| (anchored(pattern), member));
                let members = members.filter(|(pattern, _)| compiles(pattern));
                Some(Value::Object(members.map(|(pattern, member)| (pattern, self.inner(member))).collect()))
            }
            "additionalProperties" => {
                // It would apply to the members of the other parts of an `allOf` too.
                let is_of_part = *member == Value::Bool(false) || schema.contains_key("properties");
                if is_of_part && self.reading == Reading::Meant { None } else { Some(self.inner(member)) }
            }
            "items" | "not" | "contains" | "propertyNames" | "unevaluatedItems" | "unevaluatedProperties" => {
                Some(self.inner(member))
            }
            "if" | "then" | "else" => Some(self.schema(member)),
            "dependentSchemas" => {
                let schemas = member.as_object()?.iter();
                Some(Value::Object(schemas.map(|(name, schema)| (name.clone(), self.schema(schema))).collect()))
            }
            "prefixItems" => Some(member.as_array()?.iter().map(|schema| self.inner(schema)).collect()),
            "allOf" | "anyOf" => self.list(member),
            "oneOf" => match self.reading {
                Reading::Strict => self.list(member),
                // It is one of the parts of `allOf` then.
                Reading::Meant => None,
            },
            _ => None,
        }
    }

    /// The schema of a nested value.
    fn inner(&mut self, schema: &Value) -> Value {
        let seen = std::mem::take(&mut self.seen);
        let translated = self.schema(schema);
        self.seen = seen;
        translated
    }

    fn list(&mut self, member: &Value) -> Option<Value> {
        let schemas = member.as_array().filter(|schemas| !schemas.is_empty())?;
        Some(schemas.iter().map(|schema| self.schema(schema)).collect())
    }

    fn reference(&mut self, reference: &str) -> String {
        let next = format!("d{}", self.definitions.len());
        let reference = (reference.to_owned(), self.seen.clone());
        let name = self.definitions.entry(reference.clone()).or_insert_with(|| {
            self.waiting.push((next.clone(), reference));
            next
        });
        format!("#/$defs/{name}")
    }

    fn is_hidden(&self, name: &str, member: Option<&Value>) -> bool {
        member.is_some_and(|member| is_hidden(self.document, member, self.direction)) && !self.seen.shown.contains(name)
    }
}

/// Collects the members of the schema and of its parts.
fn look(document: &Document, schema: &Value, direction: Direction, seen: &mut Seen, depth: usize) {
    let schema = document.follow(schema);
    let is_required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|found| found == name));
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        if is_hidden(document, member, direction) {
            seen.hidden.insert(name.clone());
        } else if is_required(name) {
            seen.shown.insert(name.clone());
        }
    }
    for part in schema["allOf"].as_array().into_iter().flatten().filter(|_| depth < 16) {
        look(document, part, direction, seen, depth + 1);
    }
    // A member that one variant shows may be missing in another.
    let variants = ["oneOf", "anyOf"].iter().filter_map(|word| schema[*word].as_array()).flatten();
    for variant in variants.filter(|_| depth < 4) {
        let mut own = Seen::default();
        look(document, variant, direction, &mut own, depth + 1);
        seen.hidden.extend(own.hidden);
    }
}

/// Whether a member is hidden in the direction: read-only in requests, write-only in responses.
pub(crate) fn is_hidden(document: &Document, member: &Value, direction: Direction) -> bool {
    let word = match direction {
        Direction::Request => "readOnly",
        Direction::Response => "writeOnly",
    };
    let says = |schema: &Value| schema[word] == true;
    let mut parts =
        member.get("allOf").filter(|_| member.get(BOTH).is_none()).and_then(Value::as_array).into_iter().flatten();
    says(member) || says(document.follow(member)) || parts.any(says)
}

/// A value of `enum` as it is meant (W0206): a number or a boolean among strings becomes a string, digits
/// among integers become a number.
pub(crate) fn as_said(schema: &Map<String, Value>, value: &Value) -> Value {
    let meant = match (said_types(schema).as_slice(), value) {
        (["string"], Value::Number(_) | Value::Bool(_)) => Some(Value::String(value.to_string())),
        (["integer"], Value::String(text)) => text.parse::<i64>().ok().map(Value::from),
        _ => None,
    };
    meant.unwrap_or_else(|| value.clone())
}

/// The types of a schema, without `null`.
fn said_types(schema: &Map<String, Value>) -> Vec<&str> {
    let names = match schema.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        name => name.and_then(Value::as_str).into_iter().collect::<Vec<_>>(),
    };
    names.into_iter().filter(|name| *name != "null").collect()
}

/// Whether the schema is nullable: by `nullable`, by its equivalents of Swagger 2.0, or by a `null` among the
/// values.
pub(crate) fn nullable(members: &Map<String, Value>) -> bool {
    let lists_null =
        || members.get("enum").and_then(Value::as_array).is_some_and(|values| values.contains(&Value::Null));
    let forgets_null = |ty: &Value| ty != "null" && ty.as_array().is_none_or(|names| !names.contains(&json!("null")));
    ["nullable", "x-nullable"].iter().any(|word| members.get(*word) == Some(&Value::Bool(true)))
        || members.get("type").is_some_and(forgets_null) && lists_null()
}

/// The name of a format in JSON Schema.
pub(crate) fn usual(format: &str) -> &str {
    if format == "datetime" { "date-time" } else { format }
}

/// Whether the format or `contentEncoding` has one fixed form of text.
fn is_typed(schema: &Map<String, Value>) -> bool {
    let format = schema.get("format").and_then(Value::as_str).map(usual);
    is_base64(schema) || format.is_some_and(|format| TYPED.contains(&format))
}

fn is_base64(schema: &Map<String, Value>) -> bool {
    match schema.get("format").and_then(Value::as_str) {
        None | Some("") => schema.get("contentEncoding").is_some_and(|encoding| encoding == "base64"),
        Some(format) => format == "byte",
    }
}

/// The pattern with anchors of ECMA-262 instead of those of other languages, and without the slashes of
/// `/^a$/`.
pub(crate) fn anchored(pattern: &str) -> String {
    let inner = pattern.strip_prefix('/').and_then(|pattern| pattern.strip_suffix('/'));
    let pattern = inner.filter(|inner| inner.starts_with('^') && inner.ends_with('$')).unwrap_or(pattern);
    let mut written = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let escaped = if character == '\\' { characters.next() } else { None };
        match escaped {
            Some('A') => written.push('^'),
            Some('z' | 'Z') => written.push('$'),
            _ => written.extend(std::iter::once(character).chain(escaped)),
        }
    }
    written
}

fn has_format(value: &Value, format: &str) -> bool {
    let schema = json!({ "format": format });
    let validator =
        jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(true).build(&schema);
    value.is_string() && validator.is_ok_and(|validator| validator.is_valid(value))
}

/// The types that JSON Schema knows.
fn types(member: &Value) -> Option<Value> {
    let known = ["null", "boolean", "integer", "number", "string", "array", "object"];
    let is_known = |name: &Value| name.as_str().is_some_and(|name| known.contains(&name));
    match member {
        Value::Array(names) => {
            let names: Vec<_> = names.iter().filter(|name| is_known(name)).cloned().collect();
            (!names.is_empty()).then_some(Value::Array(names))
        }
        name => is_known(name).then(|| name.clone()),
    }
}

/// `exclusiveMinimum: true` makes `minimum` exclusive.
fn exclude(translated: &mut Map<String, Value>, schema: &Map<String, Value>, bound: &str, exclusive: &str) {
    if schema.get(exclusive) == Some(&Value::Bool(true))
        && let Some(limit) = translated.remove(bound)
    {
        translated.insert(exclusive.to_owned(), limit);
    }
}

fn compiles(pattern: &str) -> bool {
    jsonschema::options().build(&json!({ "pattern": pattern })).is_ok()
}
