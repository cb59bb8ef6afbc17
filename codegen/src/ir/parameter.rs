//! Parameters.

use super::{Api, Default, ModelKind, Name, Type, Value};
use crate::location::Location;

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Where it is written; `None` when only the path names it.
    pub written: Option<Location>,
    /// The parameter and the field of the request struct.
    pub name: Name,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// Where it stands.
    pub location: ParameterLocation,
    /// How its value is written.
    pub encoding: ParameterEncoding,
    /// What it holds.
    pub value: Value,
    /// It must be there: the field is a `T`, else an `Option<T>`.
    pub required: bool,
    /// What an absent parameter means.
    pub default: Option<Default>,
    /// A server puts the default in the place of an absent parameter, so that its field is a `T`.
    pub filled: bool,
    /// `deprecated: true`.
    pub deprecated: bool,
    /// Names in the query that are no members of it: those of other parameters and of credentials, where it would take them.
    pub excluded_names: Vec<String>,
}

impl Parameter {
    /// It has the same place and name as this one of another operation.
    pub fn is_same(&self, other: &Self) -> bool {
        let (own, name) = (&self.name.wire, &other.name.wire);
        let is_header = self.location == ParameterLocation::Header;
        self.location == other.location && if is_header { own.eq_ignore_ascii_case(name) } else { own == name }
    }

    /// It is written in the query under names that are not its own.
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

    /// No other text than a number can stand in its place in the path.
    pub fn is_number_in_path(&self, api: &Api) -> bool {
        let is_number =
            matches!(api.resolved(&self.value.ty), Type::Integer(_) | Type::Float | Type::Double | Type::DecimalNumber);
        self.location == ParameterLocation::Path && is_number
    }
}

/// The names by which a parameter stands in the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryNames<'a> {
    /// Its own, or those of the members where it is an object that is exploded.
    pub named: Vec<&'a String>,
    /// And all that no other parameter has.
    pub takes_rest: bool,
}

impl<'a> QueryNames<'a> {
    /// Those of one of an operation.
    pub fn of(api: &'a Api, parameter: &'a Parameter) -> Self {
        let own = Self { named: vec![&parameter.name.wire], takes_rest: false };
        let ParameterEncoding::Style { style: ParameterStyle::Form, explode: true, .. } = parameter.encoding else {
            return own;
        };
        match api.resolved(&parameter.value.ty) {
            Type::Map(_) => Self { named: Vec::new(), takes_rest: true },
            Type::Model(id) => match &api.model(*id).kind {
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

/// How the value of a parameter becomes text.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterEncoding {
    /// `style` and `explode`, and what shape the value has.
    Style { style: ParameterStyle, explode: bool, allow_reserved: bool, shape: ParameterShape },
    /// `content: { application/json: … }`; also a value that its style has no form for.
    Json,
    /// A list whose items are more than texts, in the query: `name={…}&name={…}`
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
    /// `name=a%09b`; `x-style: tabDelimited`, for OpenAPI has no such style.
    TabDelimited,
    /// `name[member]=value`
    DeepObject,
    /// `name=value` in a cookie, with nothing encoded
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
    /// One of these, by the variant of a union.
    Several,
}
