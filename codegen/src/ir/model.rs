//! Named types.

use super::{Default, IntegerKind, Name, Presence, TextForm, Type, UnionForm, Value};
use crate::location::Location;

/// A named Rust type, made for one schema.
#[derive(Clone, Debug)]
pub struct Model {
    /// Where its schema is written.
    pub location: Location,
    /// `wire` is the schema's name (or the path it was found at), `rust` the type.
    pub name: Name,
    /// The module (and file) below `models`: the type's name in snake case. An alias that has the module of
    /// another model is another name of that one.
    pub module: String,
    /// `title` and `description`, as Markdown.
    pub doc: Option<String>,
    /// `deprecated: true`.
    pub deprecated: bool,
    /// What it is.
    pub kind: ModelKind,
    /// What it derives besides what generated code needs: whole paths, or traits of the standard library.
    pub derives: PerSide,
    /// Attributes that it has besides, with their `#[…]`.
    pub attributes: PerSide,
    /// All its members may be left out, so `Default` can be derived.
    pub default: bool,
    /// Its members have a `Default` each, so that the client's type derives it for literals that leave some out.
    pub client_default: bool,
    /// Equality and hashing are total: no floating-point number inside. Such a model derives `Eq`.
    pub eq: bool,
    /// It goes from the client to the server: in a body or a parameter, or as the answer to a webhook.
    pub in_request: bool,
    /// It goes from the server to the client: in an answer, or in a webhook.
    pub in_response: bool,
    /// A webhook or a callback brings it to the client, who then checks it as a server does.
    pub in_webhook: bool,
    /// It is a union that only rules tell the variants of, or an object that has such rules: a client, which checks nothing
    /// else in answers, chooses by them.
    pub discriminated_by_rules: bool,
    /// It is read from or written as a parameter or a form, so it implements the parameter traits too.
    pub in_parameter: bool,
    /// It is compiled with any of these cargo features, sorted; when there are none, always.
    pub features: Vec<String>,
}

impl Model {
    /// Where an object keeps the members that are not named.
    pub fn additional(&self) -> Option<&Additional> {
        match &self.kind {
            ModelKind::Struct(struct_) => struct_.additional.as_ref(),
            ModelKind::Enum(_) | ModelKind::Union(_) | ModelKind::Alias(_) => None,
        }
    }
}

/// What the user wants of each of the two crates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PerSide {
    /// In the server.
    pub server: Vec<String>,
    /// In the client.
    pub client: Vec<String>,
}

/// The shapes of a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ModelKind {
    /// An object with named members.
    Struct(Struct),
    /// A string or integer out of a list.
    Enum(Enum),
    /// One of several types.
    Union(Union),
    /// Another name of a type: `type Name = …;`
    Alias(Alias),
}

/// An object with named members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Struct {
    /// In the order of the description.
    pub fields: Vec<Field>,
    /// The values of members that are not named. `None`: refused by the server when `closed`, skipped otherwise.
    pub additional: Option<Additional>,
    /// `additionalProperties: false`
    pub closed: bool,
    /// `minProperties`, `maxProperties` on the object itself.
    pub rules: Vec<super::Rule>,
}

impl Struct {
    /// It has a function `new` that takes the required members.
    pub fn has_new(&self) -> bool {
        has_new(self.fields().filter(|field| field.is_required()).count())
    }

    /// The members that are fields in Rust.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.constant.is_none())
    }
}

/// The field that holds members that are not named.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Additional {
    /// The Rust name of the `BTreeMap<String, T>` field.
    pub rust: String,
    /// The type of their values.
    pub value: Value,
    /// What the server checks of their names, and of some of their values.
    pub rules: Vec<super::Rule>,
    /// How each is written in parameters and forms.
    pub form: TextForm,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Where its schema is written; `None` when the description only names it.
    pub location: Option<Location>,
    /// The member and the Rust field.
    pub name: Name,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// What it holds.
    pub value: Value,
    /// Whether it must be there, and whether it may be `null`.
    pub presence: Presence,
    /// What an absent member means; only where `presence` is `Optional`. Documented; the field stays an `Option`.
    pub default: Option<Default>,
    /// The server never reads it from a request.
    pub read_only: bool,
    /// The server never writes it into a response.
    pub write_only: bool,
    /// Requests must have it, but responses never do: `presence` is that of the one struct for both.
    pub required_in_requests: bool,
    /// `deprecated: true`.
    pub deprecated: bool,
    /// The only value it may have (an `enum` of one in a place where it tells variants apart).
    pub constant: Option<Constant>,
    /// How it is written in parameters and forms.
    pub form: TextForm,
}

impl Field {
    /// It is always there.
    pub fn is_required(&self) -> bool {
        matches!(self.presence, Presence::Required | Presence::Nullable)
    }
}

/// The only value of a member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// A string.
    String(String),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`
    Boolean(bool),
}

impl Constant {
    /// What holds the constant.
    pub(crate) fn ty(&self) -> Type {
        match self {
            Self::String(_) => Type::String,
            Self::Integer(_) => Type::Integer(IntegerKind::I64),
            Self::Boolean(_) => Type::Boolean,
        }
    }

    /// As a parameter has it, and a tag is compared with it.
    pub fn text(&self) -> String {
        match self {
            Self::String(text) => text.clone(),
            Self::Integer(number) => number.to_string(),
            Self::Boolean(flag) => flag.to_string(),
        }
    }
}

/// A string or an integer out of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enum {
    /// The values and their variants, in the order of the description.
    pub values: EnumValues,
    /// In parameters the name of a variant is read as well as its number (`x-enum-names-accepted: true`).
    pub names_accepted: bool,
}

impl Enum {
    /// The values as texts, when nothing else is read as one of them.
    pub fn texts(&self) -> Option<Vec<String>> {
        let texts = match &self.values {
            EnumValues::String(variants) => variants.iter().map(|variant| variant.value.clone()).collect(),
            EnumValues::Integer(_, variants) => variants.iter().map(|variant| variant.value.to_string()).collect(),
        };
        (!self.names_accepted).then_some(texts)
    }
}

/// What the values of an enum are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EnumValues {
    /// Strings.
    String(Vec<EnumVariant<String>>),
    /// Whole numbers.
    Integer(super::IntegerKind, Vec<EnumVariant<i64>>),
}

/// One value of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnumVariant<T> {
    /// On the wire.
    pub value: T,
    /// The Rust variant; from `x-enum-varnames` when given.
    pub rust: String,
    /// From `x-enum-descriptions`.
    pub doc: Option<String>,
}

/// One of several types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Union {
    /// In the order in which they are tried.
    pub variants: Vec<Variant>,
    /// How a reader finds the variant.
    pub tagging: Tagging,
    /// How it is written in parameters and forms.
    pub form: UnionForm,
}

/// One type of a union.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The Rust variant.
    pub rust: String,
    /// What the description says of it.
    pub doc: Option<String>,
    /// What it holds.
    pub value: Value,
    /// In a parameter it is taken only when the text is what would be written for the value: it is a number, and another
    /// variant is any text, which alone keeps the zeros of `007`.
    pub exact: bool,
    /// How it is written in parameters and forms.
    pub form: TextForm,
}

/// How the variant of a value is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tagging {
    /// `discriminator`: the member of that name has, for each variant by index, one of these values. The tag is written
    /// by the union unless the variant's own struct has the member as a field (`written_by_variant`). A value without
    /// the member is of the first variant of `untagged` that can be read, one with any other value of it of the variant
    /// `unmapped`.
    Discriminator {
        member: String,
        tags: Vec<(String, usize)>,
        written_by_variant: Vec<bool>,
        untagged: Vec<usize>,
        unmapped: Option<usize>,
    },
    /// Each variant has a different JSON type.
    JsonType(Vec<JsonType>),
    /// Each variant requires a member that no other one has.
    RequiredMember(Vec<String>),
    /// The first that can be read.
    Ordered,
}

/// The types of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JsonType {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonType {
    /// As `type` names it, but `number` for whole numbers, too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// Another name of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alias {
    /// The type.
    pub value: Value,
}

/// Whether a struct with so many required fields has a function `new` that takes them. Without any it has `Default`; with
/// more, clippy finds the arguments too many, and a literal with names reads better, too.
pub(super) fn has_new(required: usize) -> bool {
    const MOST_ARGUMENTS: usize = 7;
    (1..=MOST_ARGUMENTS).contains(&required)
}

/// The client's variant for what the description does not know, beside those that it declares.
pub fn unknown<'a>(declared: impl IntoIterator<Item = &'a str>) -> &'static str {
    if declared.into_iter().any(|name| name == "Unknown") { "Unrecognized" } else { "Unknown" }
}
