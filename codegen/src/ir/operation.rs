//! Operations and the tags that group them.

pub use http::Method;

use super::{
    Api, Arguments, Name, Pagination, Parameter, ParameterLocation, Presence, RequestBody, Responses, Security,
    ShortForm, Tool, Type, Value,
};
use crate::location::Location;

/// The operations with the same first tag; those without a tag are under `default`.
#[derive(Clone, Debug)]
pub struct Tag {
    /// The tag; `rust` is the trait in Pascal case.
    pub name: Name,
    /// Whether the operations have no tag, so the name is not from the description.
    pub untagged: bool,
    /// The module, in snake case.
    pub module: String,
    /// The method of the client that leads to its operations.
    pub client_method: String,
    /// The cargo feature of its code; `None`: always compiled, or with the feature of all webhooks.
    pub feature: Option<String>,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// In the order of the description.
    pub operations: Vec<Operation>,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Where it is written.
    pub location: Location,
    /// `operationId` (or made from method and path); `rust` is the request struct in Pascal case.
    pub name: Name,
    /// The method of the trait and of the client, in snake case.
    pub method_rust: String,
    /// The module below the tag's, in snake case.
    pub module: String,
    /// The HTTP method.
    pub method: Method,
    /// The path template without a fragment; a query in it is sent with every request.
    pub path: String,
    /// The first of its own `servers`, or of its path's, the variables filled with the defaults.
    pub server: Option<String>,
    /// The template in pieces.
    pub segments: Vec<Vec<PathSegment>>,
    /// For operations with the same method and route: the `parameters` that identify this one; the operation
    /// with most of them in a request is chosen.
    pub parameter_discriminators: Vec<(usize, ParameterDiscriminator)>,
    /// The same for members of its body: requests must have all of them.
    pub body_discriminators: Vec<BodyDiscriminator>,
    /// Query names that requests for other operations of the route may have, and those for this one never do;
    /// only if one of its parameters distinguishes it by `ParameterDiscriminator::Required`.
    pub excluded_query: Vec<String>,
    /// `summary`
    pub summary: Option<String>,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// `deprecated: true`
    pub deprecated: bool,
    /// Path, query, header and cookie parameters, including those of the path item; required ones first.
    pub parameters: Vec<Parameter>,
    /// The request body.
    pub request_body: Option<RequestBody>,
    /// The responses.
    pub responses: Responses,
    /// The security requirement.
    pub security: Security,
    /// `x-pagination`
    pub pagination: Option<Pagination>,
    /// Whether all fields of the request struct are optional, so that it derives `Default`.
    pub default: bool,
    /// The names of its values where they are members of one object.
    pub arguments: Arguments,
    /// The tool of a server of the Model Context Protocol; `None` for webhooks, and if `x-mcp` hides it.
    pub tool: Option<Tool>,
    /// The URLs of its callbacks, as far as its request and response have them.
    pub callback_urls: Vec<CallbackUrl>,
    /// Set if the server sends it and the client responds. `path` is then only where the client's router
    /// listens.
    pub webhook: Option<Webhook>,
}

/// How a parameter identifies an operation among others of its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterDiscriminator {
    /// By a text that is a value of its type, and in a path has its pattern: others accept any.
    Value,
    /// By its value: every operation with it allows only some, so another value is a mistake.
    Choice,
    /// By presence: other operations lack it, or not all have it.
    Presence,
    /// By presence: others allow but do not require it. Used only between operations that nothing else tells
    /// apart.
    Required,
}

/// A member of a JSON or form body that identifies an operation among others of its route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyDiscriminator {
    /// Its name.
    pub member: String,
    /// The possible texts; empty for any.
    pub values: Vec<String>,
}

/// The URL of a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackUrl {
    /// The location of its key.
    pub location: Location,
    /// The method of the request that computes it, in snake case.
    pub rust: String,
    /// The name of the callback.
    pub callback: String,
    /// The key of the callback: `{$request.body#/callbackUrl}/done`.
    pub expression: String,
    /// The pieces of the expression.
    pub pieces: Vec<UrlPiece>,
}

/// A piece of the URL of a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UrlPiece {
    /// Text.
    Text(String),
    /// `{$statusCode}`
    Status,
    /// A parameter: `{$request.query.url}`.
    Parameter(MemberPath),
    /// A member of the request body, from the field `body`: `{$request.body#/callbackUrl}`.
    RequestMember(MemberPath),
    /// The same where the body has several contents: the variants that have the member.
    VariantMember(Vec<VariantMember>),
    /// A member of the response body: `{$response.body#/id}`.
    ResponseMember(MemberPath),
}

/// A member of one of several contents of a request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantMember {
    /// The index of the content.
    pub content: usize,
    /// The way from its value to the member.
    pub path: MemberPath,
}

/// The way to a member inside a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberPath {
    /// The fields on the way, the last of which is the member.
    pub steps: Vec<MemberStep>,
    /// The type of the member behind aliases.
    pub ty: Type,
}

/// A field on the way to a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberStep {
    /// Its name.
    pub name: Name,
    /// Whether it may be absent or `null`.
    pub presence: Presence,
}

impl MemberStep {
    /// The field of a parameter in the request of a server.
    pub(crate) fn of_parameter(parameter: &Parameter) -> Self {
        let is_given = parameter.filled || parameter.required && !parameter.value.nullable;
        Self::new(parameter.name.clone(), is_given)
    }

    /// The field of a body that holds the value.
    pub(crate) fn of_body(body: &RequestBody, value: &Value) -> Self {
        let name = Name { wire: "body".to_owned(), rust: "body".to_owned() };
        Self::new(name, body.required && !value.nullable)
    }

    fn new(name: Name, is_given: bool) -> Self {
        Self { name, presence: if is_given { Presence::Required } else { Presence::Optional } }
    }
}

impl UrlPiece {
    /// Whether it is a value of the request or the response.
    pub(crate) fn is_computed(&self) -> bool {
        match self {
            Self::Text(_) | Self::Status => false,
            Self::Parameter(_) | Self::RequestMember(_) | Self::VariantMember(_) | Self::ResponseMember(_) => true,
        }
    }
}

/// A webhook or callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The key of a callback, an expression for the URL: `{$request.body#/callbackUrl}`.
    pub expression: Option<String>,
}

impl Operation {
    /// The parameters that identify it among others of its route.
    pub fn parameter_discriminators(&self) -> impl Iterator<Item = (&Parameter, ParameterDiscriminator)> {
        self.parameter_discriminators.iter().filter_map(|(index, by)| Some((self.parameters.get(*index)?, *by)))
    }

    /// Whether its requests may have this query parameter or header of another operation.
    pub fn may_have(&self, other: &Parameter) -> bool {
        let is_in_query = other.location == ParameterLocation::Query;
        self.parameters.iter().any(|own| own.is_same(other) || is_in_query && own.is_spread())
    }

    /// The prefix before the path on the common host: the path of its own server, if that is relative.
    pub fn prefix(&self) -> String {
        let server = self.server.as_deref().filter(|server| !server.contains("//")).unwrap_or_default();
        match server.trim_matches('/') {
            "" => String::new(),
            prefix => format!("/{prefix}"),
        }
    }
}

impl Operation {
    /// How a caller can write a request with only the required values.
    pub fn short_form(&self, api: &Api) -> ShortForm {
        let parameters = self.parameters.iter().filter(|parameter| parameter.required);
        let body = self.request_body.iter().filter(|body| body.required);
        let types = parameters.map(|parameter| Some(&parameter.value.ty)).chain(body.map(RequestBody::described_type));
        ShortForm::of(api, types)
    }

    /// Whether the struct that a caller creates has a `Default`: each field does. The server sends webhooks,
    /// and its models with required members have none.
    pub fn has_client_default(&self, api: &Api) -> bool {
        if self.webhook.is_some() {
            return self.default;
        }
        let mut parameters = self.parameters.iter().filter(|parameter| parameter.required);
        let mut body = self.request_body.iter().filter(|body| body.required);
        parameters.all(|parameter| parameter.value.has_client_default(&api.models))
            && body.all(|body| body.has_client_default(&api.models))
    }

    /// The template without the names of its parameters: operations with equal shape and method share a
    /// route.
    pub fn shape(&self) -> String {
        let pieces = self.segments.iter().map(|segment| {
            let pieces = segment.iter().map(|piece| match piece {
                PathSegment::Literal(text) => text.as_str(),
                PathSegment::Parameter(_) => "{}",
            });
            pieces.collect::<String>()
        });
        let query = self.path.split_once('?').map_or("", |(_, query)| query);
        pieces.collect::<Vec<_>>().join("/") + query
    }
}

/// A piece of a path segment: `{a}-{b}` is parameter, literal, parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// Literal text.
    Literal(String),
    /// The parameter with this wire name.
    Parameter(String),
}
