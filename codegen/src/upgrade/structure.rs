//! Checks a tree against the objects of a specification.

use serde_json::{Map, Value};

use super::coerce::coerce;
use super::repairs::Repairs;
use super::shape::{Field, Need, Object, Shape, listed};
use super::version::Version;
use crate::diagnostic::{Code, Diagnostics, nearest};
use crate::location::{Location, Path};

/// Called for every `$ref` with the expected target; `None` for a `mapping`, which may name missing schemas.
type OnReference<'a> = dyn FnMut(&mut String, Option<&'static Object>, Location, &mut Diagnostics) + 'a;

/// Walks a tree, repairs obvious mistakes, and reports problems.
pub(super) struct Checker<'a> {
    pub repairs: Repairs<'a>,
    /// The Schema Object of that version.
    pub schema: &'static Object,
    /// The shape of a later version's keyword, if the meaning is the same.
    pub later_word: fn(&str) -> Option<&'static Shape>,
    pub on_reference: &'a mut OnReference<'a>,
}

impl Checker<'_> {
    /// Checks a value against an object.
    pub(super) fn start(&mut self, value: &mut Value, object: &'static Object, path: &Path<'_>) {
        match value {
            Value::Object(members) => self.object(members, object, path),
            other => self.wrong_type(other, &Shape::Object(object), path),
        }
    }

    /// Checks a value against its shape.
    fn value(&mut self, value: &mut Value, shape: &'static Shape, path: &Path<'_>) {
        if let Some(message) = coerce(value, shape) {
            self.repairs.repaired(path, message);
        }
        match (shape, value) {
            (Shape::Any, _)
            | (Shape::Boolean | Shape::BooleanOrSchema, Value::Bool(_))
            | (Shape::Number, Value::Number(_))
            | (Shape::String, Value::String(_)) => {}
            (Shape::Count, Value::Number(number)) if number.is_u64() => {}
            (Shape::OneOrSeveral(_), Value::Array(items)) => {
                for (index, value) in items.iter_mut().enumerate() {
                    self.value(value, shape, &Path::Item(path, index));
                }
            }
            (Shape::OneOf(allowed) | Shape::OneOrSeveral(allowed), Value::String(text)) => {
                if !allowed.contains(&text.as_str()) {
                    let message = format!("`{text}` is not one of {}", listed(allowed));
                    let diagnostic = self.repairs.report(Code::InvalidValue, path, message);
                    if let Some(meant) = nearest(text, allowed.iter().copied()) {
                        diagnostic.help(format!("did you mean `{meant}`?"));
                    } else if matches!(text.as_str(), "body" | "formData") {
                        diagnostic.help("since OpenAPI 3.0, a body is in `requestBody`, next to `parameters`");
                    }
                }
            }
            (Shape::Array(item), Value::Array(items)) => {
                for (index, value) in items.iter_mut().enumerate() {
                    self.value(value, item, &Path::Item(path, index));
                }
            }
            (Shape::Map(shape), Value::Object(members)) => {
                for (name, value) in members.iter_mut() {
                    self.value(value, shape, &Path::Member(path, name));
                }
            }
            (Shape::Object(object), Value::Object(members)) => self.object(members, object, path),
            (Shape::Schema | Shape::BooleanOrSchema, Value::Object(members)) => {
                self.object(members, self.schema, path);
            }
            (Shape::Schema, Value::Bool(flag)) => {
                if self.repairs.version < Version::OpenApi3_1 {
                    self.repairs
                        .repaired(path, format!("the schema `{flag}` is OpenAPI 3.1, and is read as it is there"));
                }
            }
            (Shape::Reference(object), value) => self.reference(value, object, path),
            (Shape::SchemaName, Value::String(name)) => {
                if is_reference(name) {
                    (self.on_reference)(name, None, self.repairs.location(path), self.repairs.diagnostics);
                }
            }
            (_, value) => self.wrong_type(value, shape, path),
        }
    }

    fn wrong_type(&mut self, value: &Value, shape: &Shape, path: &Path<'_>) {
        self.repairs
            .report(Code::WrongType, path, format!("{} is required here", shape.wanted()))
            .label(format!("this is {}", found(value)));
    }

    fn object(&mut self, members: &mut Map<String, Value>, object: &'static Object, path: &Path<'_>) {
        if object.name == "Parameter" && ["name", "in"].iter().all(|name| members.contains_key(*name)) {
            self.schema_as_parameter(members, path);
        }
        if object.reference
            && let Some(reference) = members.get_mut("$ref")
        {
            self.reference(reference, object, &Path::Member(path, "$ref"));
            return;
        }
        if let Some(rule) = object.rule {
            rule(members, &mut self.repairs, path);
        }
        let version = self.repairs.version;
        for field in object.fields.iter().filter(|field| field.since <= version) {
            for name in field.names {
                self.field(members, object, name, field, path);
            }
        }
        for (name, value) in members.iter_mut() {
            if name.starts_with("x-") || object.field(name).is_some_and(|field| field.since <= version) {
                continue;
            }
            let path = Path::Member(path, name);
            let is_schema = object.name == self.schema.name;
            match (&object.others, is_schema.then(|| (self.later_word)(name)).flatten()) {
                (Some(shape), _) => self.value(value, shape, &path),
                (None, Some(shape)) => {
                    self.repairs
                        .repaired(&path, format!("`{name}` is a word of OpenAPI 3.1, and is read as it is there"));
                    self.value(value, shape, &path);
                }
                (None, None) => self.unknown(name, object, &path),
            }
        }
    }

    /// `{ name: filter, in: query, $ref: '#/components/schemas/Filter' }`
    fn schema_as_parameter(&mut self, members: &mut Map<String, Value>, path: &Path<'_>) {
        let is_of_schema =
            |reference: &str| ["/schemas/", "#/definitions/"].iter().any(|place| reference.contains(place));
        if members.get("$ref").and_then(Value::as_str).is_some_and(is_of_schema)
            && let Some(reference) = members.shift_remove("$ref")
        {
            let at = Path::Member(path, "$ref");
            self.repairs.repaired(&at, "a parameter is not a schema; it is read as `schema: { $ref }`");
            members.insert("schema".to_owned(), Value::Object(Map::from_iter([("$ref".to_owned(), reference)])));
        }
    }

    fn field(
        &mut self,
        members: &mut Map<String, Value>,
        object: &Object,
        name: &str,
        field: &'static Field,
        path: &Path<'_>,
    ) {
        let at = Path::Member(path, name);
        // Objects have few members, so a linear search is faster than hashing each possible field.
        let Some((_, value)) = members.iter_mut().find(|(found, _)| *found == name) else {
            if field.need == Need::Required {
                self.repairs
                    .report(Code::MissingField, path, format!("`{name}` is missing"))
                    .label(format!("every {} Object has one", object.name));
            }
            return;
        };
        if value.is_null() && !matches!(field.shape, Shape::Any) && field.need != Need::Required {
            self.repairs.repaired(&at, format!("`{name}: null` was read as if it were not there"));
            members.shift_remove(name);
            return;
        }
        if field.need != Need::Detail {
            self.value(value, &field.shape, &at);
            return;
        }
        let others = std::mem::take(self.repairs.diagnostics);
        self.value(value, &field.shape, &at);
        let aside = std::mem::replace(self.repairs.diagnostics, others);
        if let Some(error) = aside.errors().next() {
            self.repairs.diagnostics.report(
                Code::LeftOut,
                &error.location,
                format!("`{name}` is left out: {}", error.message),
            );
            members.shift_remove(name);
        } else {
            self.repairs.diagnostics.append(aside);
        }
    }

    fn unknown(&mut self, name: &str, object: &Object, path: &Path<'_>) {
        let message = format!("`{name}` is not a field of the {} Object", object.name);
        let diagnostic = self.repairs.report_name(Code::UnknownField, path, message);
        diagnostic.label("not read");
        if let Some(field) = object.field(name) {
            diagnostic.help(format!("it is one from {} on", field.since.name()));
            return;
        }
        match nearest(name, object.names()) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
            None => diagnostic.help(format!("if it is yours, call it `x-{name}`")),
        };
    }

    fn reference(&mut self, value: &mut Value, object: &'static Object, path: &Path<'_>) {
        match value {
            Value::String(reference) => {
                if let Some(meant) = meant_reference(reference) {
                    self.repairs.repaired(path, format!("`{meant}` is meant"));
                    *reference = meant;
                }
                (self.on_reference)(reference, Some(object), self.repairs.location(path), self.repairs.diagnostics);
            }
            other => self.wrong_type(other, &Shape::String, path),
        }
    }
}

/// `Dog` names a schema, `#/components/schemas/Dog` and `dog.yaml` refer to one.
fn is_reference(text: &str) -> bool {
    text.contains(['/', '#']) || [".json", ".yaml", ".yml"].iter().any(|end| text.ends_with(end))
}

/// `/components/schemas/Account`, without the `#` that says it is in this document.
fn meant_reference(written: &str) -> Option<String> {
    let trimmed = written.trim();
    if ["/components/", "/definitions/"].iter().any(|start| trimmed.starts_with(start)) {
        return Some(format!("#{trimmed}"));
    }
    (trimmed != written).then(|| trimmed.to_owned())
}

/// Describes a value in words.
pub(super) fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "`null`",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
