//! Parameters.

use super::{AnyModel, Api, Contents, Default, ModelKind, Name, Type, Value};
use crate::location::Location;

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its location; `None` if only the path names it.
    pub written: Option<Location>,
    /// The parameter and the field of the request struct.
    pub name: Name,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// Its location in the request.
    pub location: ParameterLocation,
    /// How its value is written.
    pub encoding: ParameterEncoding,
    /// What it holds.
    pub value: Value,
    /// Whether it is required: the field is a `T`, else an `Option<T>`.
    pub required: bool,
    /// The value assumed if it is absent.
    pub default: Option<Default>,
    /// Whether a server applies the default, so its field is a `T`.
    pub filled: bool,
    /// `deprecated: true`.
    pub deprecated: bool,
    /// Query names that are not its members: those of other parameters and credentials, if it would take
    /// them.
    pub excluded_names: Vec<String>,
}

impl Parameter {
    /// Whether it has the same location and name as a parameter of another operation.
    pub fn is_same(&self, other: &Self) -> bool {
        let (own, name) = (&self.name.wire, &other.name.wire);
        let is_header = self.location == ParameterLocation::Header;
        self.location == other.location && if is_header { own.eq_ignore_ascii_case(name) } else { own == name }
    }

    /// Whether the query contains it under other names than its own.
    pub fn is_spread(&self) -> bool {
        let is_spread = matches!(
            self.encoding,
            ParameterEncoding::Style {
                style: ParameterStyle::Form,
                explode: true,
                shape: ParameterShape::Object | ParameterShape::Several,
                ..
            }
        );
        self.location == ParameterLocation::QueryString || self.location == ParameterLocation::Query && is_spread
    }

    /// Whether only numbers are valid in its place in the path.
    pub fn is_number_in_path(&self, api: &Api) -> bool {
        let is_number =
            matches!(api.resolved(&self.value.ty), Type::Integer(_) | Type::Float | Type::Double | Type::DecimalNumber);
        self.location == ParameterLocation::Path && is_number
    }
}

/// The names of a parameter in the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryNames<'a> {
    /// Its own name, or those of the members of an exploded object.
    pub named: Vec<&'a String>,
    /// Whether it takes all names that no other parameter has.
    pub takes_rest: bool,
}

impl<'a> QueryNames<'a> {
    /// The names of a parameter of an operation.
    pub fn of<M: AnyModel>(api: &'a Contents<M>, parameter: &'a Parameter) -> Self {
        let own = Self { named: vec![&parameter.name.wire], takes_rest: false };
        let ParameterEncoding::Style { style: ParameterStyle::Form, explode: true, .. } = parameter.encoding else {
            return own;
        };
        match api.resolved(&parameter.value.ty) {
            Type::Map(_) => Self { named: Vec::new(), takes_rest: true },
            Type::Model(id) => match api.model(*id).kind() {
                ModelKind::Struct(struct_) => Self {
                    named: struct_.fields.iter().map(|field| &field.name.wire).collect(),
                    takes_rest: struct_.additional.is_some(),
                },
                ModelKind::Union(_) | ModelKind::Enum(_) | ModelKind::Alias(_) => own,
            },
            _ => own,
        }
    }
}

/// `in`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterLocation {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// A header.
    Header,
    /// In the `Cookie` header.
    Cookie,
    /// The whole query, percent-encoded.
    QueryString,
}

impl ParameterLocation {
    /// `in`, as the specification spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::QueryString => "querystring",
        }
    }
}

/// How a parameter is serialized.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterEncoding {
    /// `style` and `explode`, and the shape of the value.
    Style { style: ParameterStyle, explode: bool, allow_reserved: bool, shape: ParameterShape },
    /// `content: { application/json: … }`; also a value that the style cannot represent.
    Json,
    /// A list of JSON values in the query: `name={…}&name={…}`
    JsonItems,
}

/// `style`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterStyle {
    /// `;name=value`
    Matrix,
    /// `.value`
    Label,
    /// `value`
    Simple,
    /// `name=value`
    Form,
    /// `name=a%20b`
    SpaceDelimited,
    /// `name=a|b`
    PipeDelimited,
    /// `name=a%09b`; `x-style: tabDelimited`, which OpenAPI lacks.
    TabDelimited,
    /// `name[member]=value`
    DeepObject,
    /// `name=value` in a cookie, unencoded
    Cookie,
}

/// The shape of a value in a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterShape {
    /// One text.
    Primitive,
    /// A list of texts.
    Array,
    /// Named texts.
    Object,
    /// One of these, depending on the variant of a union.
    Several,
}
