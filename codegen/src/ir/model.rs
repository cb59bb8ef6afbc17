//! Named types.

use super::{Api, Default, IntegerKind, Name, Presence, ShortForm, TextForm, Type, UnionForm, Value};
use crate::location::Location;

/// A named Rust type, the type of one schema.
#[derive(Clone, Debug)]
pub struct Model {
    /// Where its schema is written.
    pub location: Location,
    /// `wire` is the schema's name (or its path), `rust` the type.
    pub name: Name,
    /// The module (and file) below `models`: the type's name in snake case. An alias in the module of another
    /// model is another name of that model.
    pub module: String,
    /// `title` and `description`, as Markdown.
    pub doc: Option<String>,
    /// `deprecated: true`.
    pub deprecated: bool,
    /// What it is.
    pub kind: ModelKind,
    /// Additional derives: full paths, or traits of the standard library.
    pub derives: PerSide,
    /// Additional attributes, with their `#[…]`.
    pub attributes: PerSide,
    /// Whether all members are optional, so that `Default` can be derived.
    pub default: bool,
    /// Whether each member has a `Default`, so that the client's type derives it for partial literals.
    pub client_default: bool,
    /// Whether equality is total: without floating-point numbers. Such a model derives `Eq`.
    pub eq: bool,
    /// Whether it is sent from the client to the server: in a body or a parameter, or in the response of a
    /// webhook.
    pub in_request: bool,
    /// Whether it is sent from the server to the client: in a response, or in a webhook.
    pub in_response: bool,
    /// Whether a webhook or callback sends it to the client, which then checks it as a server does.
    pub in_webhook: bool,
    /// Whether it is a union whose variants only rules tell apart, or an object with such rules. A client,
    /// which otherwise checks no rules, chooses by them.
    pub discriminated_by_rules: bool,
    /// Whether it is read from or written as a parameter or a form, so that it implements the parameter
    /// traits.
    pub in_parameter: bool,
    /// It is compiled with any of these cargo features (sorted); always if empty.
    pub features: Vec<String>,
}

/// A model or a draft of one.
pub trait AnyModel {
    /// What it is.
    fn kind(&self) -> &ModelKind;

    /// What it is, to be changed.
    fn kind_mut(&mut self) -> &mut ModelKind;

    /// Whether the client's type is known to have a `Default`.
    fn has_client_default(&self) -> bool;
}

impl AnyModel for Model {
    fn kind(&self) -> &ModelKind {
        &self.kind
    }

    fn kind_mut(&mut self) -> &mut ModelKind {
        &mut self.kind
    }

    fn has_client_default(&self) -> bool {
        self.client_default
    }
}

/// Settings of the user for each side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PerSide {
    /// In the server.
    pub server: Vec<String>,
    /// In the client.
    pub client: Vec<String>,
    /// In the crate with the models alone.
    pub models: Vec<String>,
}

/// The shapes of a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ModelKind {
    /// An object with named members.
    Struct(Struct),
    /// A string or integer from a list.
    Enum(Enum),
    /// One of several types.
    Union(Union),
    /// An alias: `type Name = …;`
    Alias(Alias),
}

/// An object with named members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Struct {
    /// In the order of the description.
    pub fields: Vec<Field>,
    /// The type of additional members. `None`: refused by the server if `closed`, skipped otherwise.
    pub additional: Option<Additional>,
    /// `additionalProperties: false`
    pub closed: bool,
    /// `minProperties`, `maxProperties` of the object.
    pub rules: Vec<super::Rule>,
}

impl Struct {
    /// Whether it has a function `new` for the required members.
    pub fn has_new(&self) -> bool {
        has_new(self.fields().filter(|field| field.is_required()).count())
    }

    /// Whether the client's struct has a function `new`: only if no two of its arguments have one type.
    pub fn has_client_new(&self, api: &Api) -> bool {
        let required = self.fields().filter(|field| field.is_required());
        let form = ShortForm::of(api, required.map(|field| Some(&field.value.ty)));
        matches!(form, ShortForm::Value | ShortForm::New)
    }

    /// Whether every member has a `Default` in the client.
    pub(crate) fn has_client_default<M: AnyModel>(&self, models: &[M]) -> bool {
        self.fields().all(|field| match field.presence {
            Presence::Required => field.value.ty.has_client_default(models),
            Presence::Optional | Presence::Nullable | Presence::OptionalNullable => true,
        })
    }

    /// The members that are fields in Rust.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.constant.is_none())
    }
}

/// The field for additional members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Additional {
    /// The Rust name of the `BTreeMap<String, T>` field.
    pub rust: String,
    /// The type of their values.
    pub value: Value,
    /// Rules for their names, and for some of their values.
    pub rules: Vec<super::Rule>,
    /// How each is written in parameters and forms.
    pub form: TextForm,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The location of its schema; `None` if the description only names it.
    pub location: Option<Location>,
    /// The member and the Rust field.
    pub name: Name,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// What it holds.
    pub value: Value,
    /// Whether it is required, and whether it may be `null`.
    pub presence: Presence,
    /// The value assumed if it is absent; only if `presence` is `Optional`. Documented only: the field stays
    /// an `Option`.
    pub default: Option<Default>,
    /// The server never reads it from a request.
    pub read_only: bool,
    /// The server never writes it into a response.
    pub write_only: bool,
    /// What its absence means to a server that reads it.
    pub absence_on_server: Absence,
    /// What its absence means to a client that reads it.
    pub absence_on_client: Absence,
    /// `deprecated: true`.
    pub deprecated: bool,
    /// The only allowed value: an `enum` of one that tells variants apart.
    pub constant: Option<Constant>,
    /// How it is written in parameters and forms.
    pub form: TextForm,
}

/// What it means that a member is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Absence {
    /// A violation.
    Violation,
    /// Only a strict reader reports it; a tolerant one takes `None` or the default.
    Tolerated,
    /// The member is optional.
    Allowed,
}

impl Field {
    /// Whether it is always present.
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
    /// The type of the constant.
    pub(crate) fn ty(&self) -> Type {
        match self {
            Self::String(_) => Type::String,
            Self::Integer(_) => Type::Integer(IntegerKind::I64),
            Self::Boolean(_) => Type::Boolean,
        }
    }

    /// The text in a parameter, also compared with tags.
    pub fn text(&self) -> String {
        match self {
            Self::String(text) => text.clone(),
            Self::Integer(number) => number.to_string(),
            Self::Boolean(flag) => flag.to_string(),
        }
    }
}

/// A string or an integer from a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enum {
    /// The type of whole numbers; `None`: the values are strings.
    pub integer: Option<IntegerKind>,
    /// The values and their variants, in the order of the description.
    pub variants: Vec<EnumVariant>,
    /// Whether parameters may also use names of variants instead of numbers (`x-enum-names-accepted: true`).
    pub names_accepted: bool,
}

impl Enum {
    /// The type of its values.
    pub(crate) fn ty(&self) -> Type {
        self.integer.map_or(Type::String, Type::Integer)
    }

    /// The values as texts.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.variants.iter().map(|variant| variant.value.clone()).collect()
    }

    /// The values as texts, if nothing else is accepted.
    pub(crate) fn all_texts(&self) -> Option<Vec<String>> {
        (!self.names_accepted).then(|| self.texts())
    }

    /// The name of the client's variant for unknown values.
    pub fn unknown(&self) -> &'static str {
        unknown(self.variants.iter().map(|variant| variant.rust.as_str()))
    }
}

/// One value of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnumVariant {
    /// The string, or the digits of the number.
    pub value: String,
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
    /// `anyOf`: a value may be valid by several variants.
    pub any_of: bool,
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
    /// In a parameter it is chosen only if writing the value gives the same text: it is a number next to a
    /// string variant, which keeps `007`.
    pub exact: bool,
    /// How it is written in parameters and forms.
    pub form: TextForm,
}

/// How the variant of a value is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tagging {
    /// `discriminator`: for each variant by index, the values of this member. The union writes the tag unless
    /// the variant's struct has the member as a field (`written_by_variant`). A value without the member is
    /// the first variant of `untagged` that can be read; any other tag means the variant `unmapped`.
    Discriminator {
        member: String,
        tags: Vec<(String, usize)>,
        written_by_variant: Vec<bool>,
        untagged: Vec<usize>,
        unmapped: Option<usize>,
    },
    /// Each variant has a different JSON type.
    JsonType(Vec<JsonType>),
    /// Each variant requires a member that no other variant has.
    RequiredMember(Vec<String>),
    /// The first variant that can be read.
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
    /// The name in `type`, but `number` for integers, too.
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

/// An alias.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alias {
    /// The type.
    pub value: Value,
}

/// Whether a struct with this many required fields has a function `new` for them. Without any it has
/// `Default`; with many, clippy rejects the arguments, and a literal is more readable.
pub(super) fn has_new(required: usize) -> bool {
    const MOST_ARGUMENTS: usize = 7;
    (1..=MOST_ARGUMENTS).contains(&required)
}

/// The name of the client's variant for unknown values.
pub fn unknown<'a>(declared: impl IntoIterator<Item = &'a str>) -> &'static str {
    if declared.into_iter().any(|name| name == "Unknown") { "Unrecognized" } else { "Unknown" }
}
