//! The objects of a specification as tables, and the shapes of their values.

use serde_json::{Map, Value};

use super::repairs::Repairs;
use super::version::Version;
use crate::location::Path;

/// The types of OpenAPI 3.0.
pub(super) const TYPES: &[&str] = &["string", "number", "integer", "boolean", "array", "object"];

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
pub(super) type Rule = fn(&mut Map<String, Value>, &mut Repairs<'_>, &Path<'_>);

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

impl Shape {
    /// As the subject of "… is wanted here".
    pub(super) fn wanted(&self) -> String {
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

/// `a`, `b`, `c`
pub(super) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
