//! Checks a tree against the objects of a specification, given as tables.

use serde_json::{Map, Value};

use super::coerce::coerce;
use super::moves::Moves;
use super::version::Version;
use crate::diagnostic::{Code, Diagnostics, nearest};
use crate::location::{Location, Path};

/// An object of the specification.
pub(super) struct Object {
    /// Its name without `Object`.
    pub name: &'static str,
    /// The fields with fixed names.
    pub fields: &'static [Field],
    /// The shape of other fields, if any are allowed.
    pub others: Option<Shape>,
    /// A rule for the whole object, run before its fields: repairs obvious mistakes and reports the rest.
    pub rule: Option<Rule>,
    /// Whether a Reference Object may replace it.
    pub reference: bool,
}

impl Object {
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name, fields: &[], others: None, rule: None, reference: false }
    }

    /// Sets fixed fields.
    pub(super) const fn fields(self, fields: &'static [Field]) -> Self {
        Self { fields, ..self }
    }

    /// Allows fields with other names.
    pub(super) const fn others(self, shape: Shape) -> Self {
        Self { others: Some(shape), ..self }
    }

    /// Adds a rule for the whole object.
    pub(super) const fn rule(self, rule: Rule) -> Self {
        Self { rule: Some(rule), ..self }
    }

    /// Allows a Reference Object.
    pub(super) const fn referable(self) -> Self {
        Self { reference: true, ..self }
    }

    /// The field with this name, in any version.
    pub(super) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.names.contains(&name))
    }

    /// The names of all fields.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().flat_map(|field| field.names).copied()
    }
}

/// A rule for a whole object.
pub(super) type Rule = fn(&mut Map<String, Value>, &mut Checker<'_>, &Path<'_>);

/// Fields that share a shape.
pub(super) struct Field {
    pub names: &'static [&'static str],
    pub shape: Shape,
    pub need: Need,
    /// The version that introduced it.
    pub since: Version,
}

/// The consequence of a missing or invalid field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// It is required.
    Required,
    /// It is optional.
    Optional,
    /// It is unused: an invalid one is dropped.
    Detail,
}

/// The shape of a value.
pub(super) enum Shape {
    Any,
    Boolean,
    Number,
    /// A non-negative integer.
    Count,
    String,
    OneOf(&'static [&'static str]),
    /// One of these, or a list of them.
    OneOrSeveral(&'static [&'static str]),
    Array(&'static Shape),
    Map(&'static Shape),
    Object(&'static Object),
    /// A Schema Object of the description's version, or a boolean.
    Schema,
    /// `additionalProperties`
    BooleanOrSchema,
    /// A `$ref` with possible siblings, and its expected target.
    Reference(&'static Object),
    /// The name of a schema, or a reference to it.
    SchemaName,
}

pub(super) const fn required(names: &'static [&'static str], shape: Shape) -> Field {
    Field { names, shape, need: Need::Required, since: Version::Swagger2_0 }
}

pub(super) const fn optional(names: &'static [&'static str], shape: Shape) -> Field {
    Field { names, shape, need: Need::Optional, since: Version::Swagger2_0 }
}

pub(super) const fn detail(names: &'static [&'static str], shape: Shape) -> Field {
    Field { names, shape, need: Need::Detail, since: Version::Swagger2_0 }
}

/// A field added in a later version.
pub(super) const fn since(version: Version, field: Field) -> Field {
    Field { since: version, ..field }
}

/// Called for every `$ref` with the expected target; `None` for a `mapping`, which may name missing schemas.
type OnReference<'a> = dyn FnMut(&mut String, Option<&'static Object>, Location, &mut Diagnostics) + 'a;

/// Walks a tree, repairs obvious mistakes, and reports problems.
pub(super) struct Checker<'a> {
    /// The file being checked.
    pub file: &'a str,
    /// The version of the description.
    pub version: Version,
    /// The Schema Object of that version.
    pub schema: &'static Object,
    /// The shape of a later version's keyword, if the meaning is the same.
    pub later_word: fn(&str) -> Option<&'static Shape>,
    pub diagnostics: &'a mut Diagnostics,
    pub on_reference: &'a mut OnReference<'a>,
    /// Renamed members.
    pub renamed: &'a mut Moves,
}

impl Checker<'_> {
    /// The location of a path.
    pub(super) fn location(&self, path: &Path<'_>) -> Location {
        Location::at(self.file, path.pointer())
    }

    /// Reports a repair.
    pub(super) fn repaired(&mut self, path: &Path<'_>, message: impl Into<String>) {
        let location = self.location(path);
        self.diagnostics.report(Code::Repaired, &location, message);
    }

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
            self.repaired(path, message);
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
                    let location = self.location(path);
                    let diagnostic = self.diagnostics.report(
                        Code::InvalidValue,
                        &location,
                        format!("`{text}` is not one of {}", listed(allowed)),
                    );
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
                if self.version < Version::OpenApi3_1 {
                    self.repaired(path, format!("the schema `{flag}` is OpenAPI 3.1, and is read as it is there"));
                }
            }
            (Shape::Reference(object), value) => self.reference(value, object, path),
            (Shape::SchemaName, Value::String(name)) => {
                if is_reference(name) {
                    let location = self.location(path);
                    (self.on_reference)(name, None, location, self.diagnostics);
                }
            }
            (_, value) => self.wrong_type(value, shape, path),
        }
    }

    fn wrong_type(&mut self, value: &Value, shape: &Shape, path: &Path<'_>) {
        let location = self.location(path);
        self.diagnostics
            .report(Code::WrongType, &location, format!("{} is required here", shape.wanted()))
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
            rule(members, self, path);
        }
        let version = self.version;
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
                    self.repaired(&path, format!("`{name}` is a word of OpenAPI 3.1, and is read as it is there"));
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
            self.repaired(&Path::Member(path, "$ref"), "a parameter is not a schema; it is read as `schema: { $ref }`");
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
                let location = self.location(path);
                self.diagnostics
                    .report(Code::MissingField, &location, format!("`{name}` is missing"))
                    .label(format!("every {} Object has one", object.name));
            }
            return;
        };
        if value.is_null() && !matches!(field.shape, Shape::Any) && field.need != Need::Required {
            self.repaired(&at, format!("`{name}: null` was read as if it were not there"));
            members.shift_remove(name);
            return;
        }
        if field.need != Need::Detail {
            self.value(value, &field.shape, &at);
            return;
        }
        let mut aside = Diagnostics::default();
        let Self { file, version, schema, later_word, on_reference, renamed, .. } = self;
        let (version, schema, later_word) = (*version, *schema, *later_word);
        Checker { file, version, schema, later_word, diagnostics: &mut aside, on_reference, renamed }.value(
            value,
            &field.shape,
            &at,
        );
        if let Some(error) = aside.errors().next() {
            self.diagnostics.report(Code::LeftOut, &error.location, format!("`{name}` is left out: {}", error.message));
            members.shift_remove(name);
        } else {
            self.diagnostics.append(aside);
        }
    }

    fn unknown(&mut self, name: &str, object: &Object, path: &Path<'_>) {
        let location = self.location(path).name();
        let diagnostic = self.diagnostics.report(
            Code::UnknownField,
            &location,
            format!("`{name}` is not a field of the {} Object", object.name),
        );
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
                    self.repaired(path, format!("`{meant}` is meant"));
                    *reference = meant;
                }
                let location = self.location(path);
                (self.on_reference)(reference, Some(object), location, self.diagnostics);
            }
            other => self.wrong_type(other, &Shape::String, path),
        }
    }
}

impl Shape {
    /// As the subject of "… is wanted here".
    fn wanted(&self) -> String {
        match self {
            Self::Any => "anything".to_owned(),
            Self::Boolean => "`true` or `false`".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Count => "a whole number from 0".to_owned(),
            Self::String => "a string".to_owned(),
            Self::OneOf(allowed) => format!("one of {}", listed(allowed)),
            Self::OneOrSeveral(allowed) => format!("one or a list of {}", listed(allowed)),
            Self::Array(_) => "an array".to_owned(),
            Self::Map(_) => "an object".to_owned(),
            Self::Object(object) => format!("{} {} Object", article(object.name), object.name),
            Self::Schema => "a Schema Object".to_owned(),
            Self::BooleanOrSchema => "`true`, `false` or a Schema Object".to_owned(),
            Self::Reference(_) => "a reference".to_owned(),
            Self::SchemaName => "the name of a schema".to_owned(),
        }
    }
}

pub(super) fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'I', 'O', 'a', 'i']) { "an" } else { "a" }
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
fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "`null`",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// `a`, `b`, `c`
fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
