//! Types and values of fields and bodies.

use std::fmt::{self, Display, Formatter};

use super::{AnyModel, Foreign, JsonType};

/// Maximum depth of nested types: recursive functions treat deeper ones alike, because types may contain themselves.
pub(crate) const MAX_TYPE_DEPTH: usize = 16;

/// The index of a model in [`Contents::models`](super::Contents::models).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelId(pub usize);

/// The type of a value, without its context.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`
    Boolean,
    /// A whole number of the given width.
    Integer(IntegerKind),
    /// `f32`
    Float,
    /// `f64`
    Double,
    /// `type: string, format: decimal`, `rust_decimal::Decimal`
    Decimal,
    /// `type: number, format: decimal`: `runtime::DecimalNumber`, a newtype of `Decimal`
    DecimalNumber,
    /// `String`
    String,
    /// `format: date`, `jiff::civil::Date`
    Date,
    /// `format: time`, `jiff::civil::Time`
    Time,
    /// `format: date-time`, `jiff::Timestamp`
    DateTime,
    /// `format: date-time-local`, `jiff::civil::DateTime`
    DateTimeLocal,
    /// `format: duration`, `jiff::SpanFieldwise`
    Duration,
    /// `format: uuid`, `uuid::Uuid`
    Uuid,
    /// `format: ipv4`
    Ipv4,
    /// `format: ipv6`
    Ipv6,
    /// `format: byte`, base64 on the wire: `runtime::Base64`, a newtype of `Vec<u8>`
    Base64,
    /// `format: binary` in a form or a buffered multipart field: `bytes::Bytes`
    Binary,
    /// Any JSON value: `json::Value`
    Any,
    /// `Vec<T>`
    Array(Box<Value>),
    /// `(A, json::OptionalItem<B>, json::FurtherItems<C>)`, from `prefixItems`
    Tuple(Tuple),
    /// `BTreeMap<String, T>`, from `additionalProperties`
    Map(Box<Value>),
    /// A named type.
    Model(ModelId),
    /// A type of another crate that replaces the type of the schema.
    Foreign(Foreign),
}

impl Type {
    /// Whether it has a `Default` in the client, for the rest of a literal.
    pub(crate) fn has_client_default<M: AnyModel>(&self, models: &[M]) -> bool {
        match self {
            Self::Ipv4 | Self::Ipv6 | Self::Foreign(_) => false,
            Self::Tuple(tuple) => tuple.required().iter().all(|place| place.has_client_default(models)),
            Self::Model(id) => models[id.0].has_client_default(),
            _ => true,
        }
    }

    /// Whether a number literal fits it.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Float | Self::Double)
    }

    /// The JSON type of its values; `None` for models and arbitrary values.
    pub fn json(&self) -> Option<JsonType> {
        match self {
            Self::Boolean => Some(JsonType::Boolean),
            Self::Integer(_) | Self::Float | Self::Double | Self::DecimalNumber => Some(JsonType::Number),
            Self::String
            | Self::Decimal
            | Self::Date
            | Self::Time
            | Self::DateTime
            | Self::DateTimeLocal
            | Self::Duration
            | Self::Uuid
            | Self::Ipv4
            | Self::Ipv6
            | Self::Base64
            | Self::Binary => Some(JsonType::String),
            Self::Array(_) | Self::Tuple(_) => Some(JsonType::Array),
            Self::Map(_) => Some(JsonType::Object),
            Self::Foreign(foreign) => foreign.json,
            Self::Any | Self::Model(_) => None,
        }
    }
}

/// An array with a type for each of its first positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tuple {
    /// The items that have a type of their own.
    pub places: Vec<Value>,
    /// Number of places that every array has; the others may be missing from its end.
    pub least: usize,
    /// The items after them; `None` if there are none.
    pub further: Option<Box<Value>>,
}

impl Tuple {
    /// The places that every array has.
    pub(crate) fn required(&self) -> &[Value] {
        self.places.get(..self.least).unwrap_or_default()
    }

    /// The places, and the type of further items.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.places.iter().chain(self.further.as_deref())
    }

    /// The same, to be changed.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.places.iter_mut().chain(self.further.as_deref_mut())
    }

    /// Whether both have the same number of places, required ones, and further items or none.
    pub(crate) fn has_form_of(&self, other: &Self) -> bool {
        let form = |tuple: &Self| (tuple.places.len(), tuple.least, tuple.further.is_some());
        form(self) == form(other)
    }
}

/// The integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntegerKind {
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`, also an `integer` without a format
    I64,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
}

impl IntegerKind {
    /// Whether it has all values of another.
    pub(crate) fn holds(self, other: Self) -> bool {
        self.range().0 <= other.range().0 && self.range().1 >= other.range().1
    }

    /// The range of this type.
    pub(crate) fn range(self) -> (i128, i128) {
        match self {
            Self::I8 => (i8::MIN.into(), i8::MAX.into()),
            Self::I16 => (i16::MIN.into(), i16::MAX.into()),
            Self::I32 => (i32::MIN.into(), i32::MAX.into()),
            Self::I64 => (i64::MIN.into(), i64::MAX.into()),
            Self::U8 => (0, u8::MAX.into()),
            Self::U16 => (0, u16::MAX.into()),
            Self::U32 => (0, u32::MAX.into()),
            Self::U64 => (0, u64::MAX.into()),
        }
    }
}

/// A type with the constraints of its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The type of a value that is present and not `null`.
    pub ty: Type,
    /// Whether it may be `null` (in an array or a map: `Option<T>`).
    pub nullable: bool,
    /// Whether it is boxed, because its type is recursive or large.
    pub boxed: bool,
    /// The constraints that the server checks.
    pub rules: Vec<Rule>,
}

impl Value {
    /// A type without constraints.
    pub(crate) fn plain(ty: Type) -> Self {
        Self { ty, nullable: false, boxed: false, rules: Vec::new() }
    }

    /// Whether its type has a `Default` in the client.
    pub(crate) fn has_client_default<M: AnyModel>(&self, models: &[M]) -> bool {
        self.nullable || self.ty.has_client_default(models)
    }
}

/// One constraint. The server checks all, the client only those that choose a variant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// `minimum`, inclusive; the text of the number as the description has it
    Minimum(String),
    /// `maximum`, inclusive
    Maximum(String),
    /// `minimum` with `exclusiveMinimum: true`
    ExclusiveMinimum(String),
    /// `maximum` with `exclusiveMaximum: true`
    ExclusiveMaximum(String),
    /// `multipleOf`
    MultipleOf(String),
    /// `minLength`, in Unicode scalar values
    MinLength(u64),
    /// `maxLength`, in Unicode scalar values
    MaxLength(u64),
    /// `pattern`, an ECMA-262 regular expression
    Pattern(String),
    /// `format: email`, `uri`, `uri-reference`, `hostname` on a `String`
    Format(String),
    /// `minItems`
    MinItems(u64),
    /// `maxItems`
    MaxItems(u64),
    /// `uniqueItems: true`
    UniqueItems,
    /// `minProperties`
    MinProperties(u64),
    /// `maxProperties`
    MaxProperties(u64),
    /// `propertyNames`, and `patternProperties` if no other members are allowed: rules for the names of a map
    Names(Vec<Rule>),
    /// `patternProperties` next to others: rules for the values with matching names
    Matching(String, Vec<Rule>),
    /// `enum` of names, which are texts
    OneOf(Vec<String>),
    /// `enum` of numbers; their texts as the description has them
    Numbers(Vec<String>),
    /// `enum` with one boolean
    Boolean(bool),
    /// `enum` with arrays or objects, possibly among other values; their JSON texts
    Listed(Vec<String>),
    /// `type` of a value whose Rust type allows any
    Kind(JsonType),
    /// A condition on which members are present
    Together(Condition),
    /// Keywords that no other rule expresses; the text of a JSON Schema (2020-12) without outer references
    Schema(String),
}

/// As the description writes it: `minimum: 5`
impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Minimum(limit) => write!(f, "minimum: {limit}"),
            Self::Maximum(limit) => write!(f, "maximum: {limit}"),
            Self::ExclusiveMinimum(limit) => write!(f, "exclusiveMinimum: {limit}"),
            Self::ExclusiveMaximum(limit) => write!(f, "exclusiveMaximum: {limit}"),
            Self::MultipleOf(factor) => write!(f, "multipleOf: {factor}"),
            Self::MinLength(length) => write!(f, "minLength: {length}"),
            Self::MaxLength(length) => write!(f, "maxLength: {length}"),
            Self::Pattern(pattern) => write!(f, "pattern: {pattern}"),
            Self::Format(format) => write!(f, "format: {format}"),
            Self::MinItems(count) => write!(f, "minItems: {count}"),
            Self::MaxItems(count) => write!(f, "maxItems: {count}"),
            Self::UniqueItems => f.write_str("uniqueItems: true"),
            Self::MinProperties(count) => write!(f, "minProperties: {count}"),
            Self::MaxProperties(count) => write!(f, "maxProperties: {count}"),
            Self::Names(rules) => write!(f, "propertyNames: {{ {} }}", joined(rules)),
            Self::Matching(pattern, rules) => write!(f, "patternProperties: {{ {pattern}: {{ {} }} }}", joined(rules)),
            Self::OneOf(values) | Self::Numbers(values) | Self::Listed(values) => {
                write!(f, "enum: [{}]", values.join(", "))
            }
            Self::Boolean(only) => write!(f, "enum: [{only}]"),
            Self::Kind(ty) => write!(f, "type: {}", ty.name()),
            Self::Together(condition) => condition.fmt(f),
            Self::Schema(schema) => f.write_str(schema),
        }
    }
}

/// As the description writes it: `required: [a]`
impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let list = |conditions: &[Self]| joined(conditions.iter().map(|condition| format!("{{ {condition} }}")));
        match self {
            Self::Has(names) => write!(f, "required: [{}]", names.join(", ")),
            Self::Not(condition) => write!(f, "not: {{ {condition} }}"),
            Self::With(first, names) => write!(f, "dependentRequired: {{ {first}: [{}] }}", names.join(", ")),
            Self::All(conditions) => write!(f, "allOf: [{}]", list(conditions)),
            Self::Any(conditions) => write!(f, "anyOf: [{}]", list(conditions)),
            Self::One(conditions) => write!(f, "oneOf: [{}]", list(conditions)),
        }
    }
}

fn joined(parts: impl IntoIterator<Item = impl Display>) -> String {
    parts.into_iter().map(|part| part.to_string()).collect::<Vec<_>>().join(", ")
}

/// A condition on the members of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `required`: all of these members
    Has(Vec<String>),
    /// `not`
    Not(Box<Condition>),
    /// `dependentRequired`: the others, if it has the first
    With(String, Vec<String>),
    /// `allOf`
    All(Vec<Condition>),
    /// `anyOf`
    Any(Vec<Condition>),
    /// `oneOf`
    One(Vec<Condition>),
}

impl Condition {
    /// The members it mentions.
    pub fn members(&self) -> Vec<&str> {
        match self {
            Self::Has(names) => names.iter().map(String::as_str).collect(),
            Self::Not(condition) => condition.members(),
            Self::With(first, names) => [first].into_iter().chain(names).map(String::as_str).collect(),
            Self::All(conditions) | Self::Any(conditions) | Self::One(conditions) => {
                conditions.iter().flat_map(Self::members).collect()
            }
        }
    }
}

/// Whether a member is required, and whether it may be `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// In `required`, not nullable: `T`
    Required,
    /// Not in `required`, not nullable: `Option<T>`, absent when `None`
    Optional,
    /// In `required`, nullable: `Option<T>`, `null` when `None`
    Nullable,
    /// Not in `required`, nullable: `Maybe<T>`
    OptionalNullable,
}

/// `default`, checked against its type in `lower`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Default {
    /// A boolean.
    Boolean(bool),
    /// A number, as the description has it.
    Number(String),
    /// A string.
    String(String),
    /// The variant of an enum, by index.
    Variant(usize),
    /// The items of a list.
    Array(Vec<Default>),
    /// A value of a union variant, by the variant's Rust name.
    OfVariant(String, Box<Default>),
}
