//! Operations and the tags that group them.

use super::{Api, Name, Pagination, Parameter, ParameterLocation, RequestBody, Responses, Security, Type};
use crate::location::Location;

/// The operations that share their first tag; those without one are under `default`.
#[derive(Clone, Debug)]
pub struct Tag {
    /// The tag; `rust` is the trait in Pascal case.
    pub name: Name,
    /// The operations have no tag, and the name is none of the description.
    pub untagged: bool,
    /// The module, and the method of the client, in snake case.
    pub module: String,
    /// The cargo feature that its code is compiled with; `None`: always, or with the feature of all webhooks.
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
    /// The path template as the description has it, without a fragment; a query in it is sent with every request.
    pub path: String,
    /// The first of its own `servers`, or of its path's, the variables filled with the defaults.
    pub server: Option<String>,
    /// The template in pieces.
    pub segments: Vec<Vec<PathSegment>>,
    /// Other operations have the same method and route: this one is meant by requests that have these of its `parameters`,
    /// unless another one is by more of them.
    pub parameter_discriminators: Vec<(usize, ParameterDiscriminator)>,
    /// The same with members of its body: requests for it have them all.
    pub body_discriminators: Vec<BodyDiscriminator>,
    /// Names in the query that requests for others of the route may have, and those for this one never do; only where one of
    /// its parameters tells it from these by `ParameterDiscriminator::Required`.
    pub excluded_query: Vec<String>,
    /// `summary`
    pub summary: Option<String>,
    /// `description`, as Markdown.
    pub doc: Option<String>,
    /// `deprecated: true`
    pub deprecated: bool,
    /// Path, query, header and cookie parameters, those of the path item included, in order; required ones first.
    pub parameters: Vec<Parameter>,
    /// What it is sent.
    pub request_body: Option<RequestBody>,
    /// What it answers.
    pub responses: Responses,
    /// Who may call.
    pub security: Security,
    /// `x-pagination`
    pub pagination: Option<Pagination>,
    /// All fields of the request struct may be left out, so it derives `Default`.
    pub default: bool,
    /// The server sends it, and the client answers. Then `path` is only where the client's router listens.
    pub webhook: Option<Webhook>,
}

/// By what of a parameter an operation is distinguished from others of its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterDiscriminator {
    /// That its text is a value of its type: others take any.
    Value,
    /// Which value it has: every operation that has it asks for one of some, so another one is a mistake.
    Choice,
    /// That it is there: no other operation has it, or not all have it.
    Presence,
    /// That it is there: others may have it, but need not. It counts only between operations that nothing else tells apart.
    Required,
}

/// A member of a body in JSON or a form by which an operation is distinguished from others of its route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyDiscriminator {
    /// Its name.
    pub member: String,
    /// The texts that it can be; none where it can be anything.
    pub values: Vec<String>,
}

/// Where something is sent that the server sends on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The key of a callback, which says where the URL is found: `{$request.body#/callbackUrl}`.
    pub expression: Option<String>,
}

impl Operation {
    /// The parameters that tell it from others of its route.
    pub fn parameter_discriminators(&self) -> impl Iterator<Item = (&Parameter, ParameterDiscriminator)> {
        self.parameter_discriminators.iter().filter_map(|(index, by)| Some((self.parameters.get(*index)?, *by)))
    }

    /// Whether its requests may have what is a parameter in the query or a header of another operation.
    pub fn may_have(&self, other: &Parameter) -> bool {
        let is_in_query = other.location == ParameterLocation::Query;
        self.parameters.iter().any(|own| own.is_same(other) || is_in_query && own.is_spread())
    }

    /// What stands before the path on the host of the others: the path of its own server, when that is there.
    pub fn prefix(&self) -> String {
        let server = self.server.as_deref().filter(|server| !server.contains("//")).unwrap_or_default();
        match server.trim_matches('/') {
            "" => String::new(),
            prefix => format!("/{prefix}"),
        }
    }
}

impl Operation {
    /// How a caller makes a request of what the operation requires.
    pub fn short_form(&self, api: &Api) -> ShortForm {
        const MOST_ARGUMENTS: usize = 7;
        let parameters = self.parameters.iter().filter(|parameter| parameter.required);
        let body = self.request_body.iter().filter(|body| body.required);
        // The type of a body that has none of the description is made for it, and differs from all others.
        let types: Vec<Option<&Type>> = parameters
            .map(|parameter| Some(&parameter.value.ty))
            .chain(body.map(RequestBody::described_type))
            .map(|ty| ty.map(|ty| api.resolved(ty)))
            .collect();
        let is_alike = |(index, ty): (usize, &Option<&Type>)| {
            let ty = ty.as_ref();
            types[..index]
                .iter()
                .flatten()
                .any(|other| ty.is_some_and(|ty| ty == other || ty.is_number() && other.is_number()))
        };
        match types.len() {
            0 => ShortForm::Unit,
            1 => ShortForm::Value,
            2..=MOST_ARGUMENTS if !types.iter().enumerate().any(is_alike) => ShortForm::New,
            _ => ShortForm::None,
        }
    }

    /// The struct that a caller makes has a `Default`: each of its fields does. A webhook is sent by the server, whose
    /// models have none where a member is required.
    pub fn has_client_default(&self, api: &Api) -> bool {
        if self.webhook.is_some() {
            return self.default;
        }
        let mut parameters = self.parameters.iter().filter(|parameter| parameter.required);
        let mut body = self.request_body.iter().filter(|body| body.required);
        parameters.all(|parameter| parameter.value.has_client_default(&api.models))
            && body.all(|body| body.has_client_default(&api.models))
    }

    /// The template without the names of its parameters: operations of one shape and method have one route.
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

/// How a caller makes a request without naming every field of its struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortForm {
    /// Nothing is required: `()` becomes a request.
    Unit,
    /// One value is required, and becomes a request.
    Value,
    /// `new` takes the required values, whose types tell them apart.
    New,
    /// Some of the required values have one type, so that only their names tell them apart.
    None,
}

/// A piece of a path segment: `{a}-{b}` is parameter, literal, parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// Text that stands for itself.
    Literal(String),
    /// The parameter with that wire name.
    Parameter(String),
}

/// An HTTP method.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// `GET`
    Get,
    /// `PUT`
    Put,
    /// `POST`
    Post,
    /// `DELETE`
    Delete,
    /// `OPTIONS`
    Options,
    /// `HEAD`
    Head,
    /// `PATCH`
    Patch,
    /// `TRACE`
    Trace,
    /// `QUERY`: a GET with a body
    Query,
    /// Another one, of `additionalOperations`: a token
    Other(String),
}

impl Method {
    /// As it is sent.
    pub fn text(&self) -> &str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Head => "HEAD",
            Self::Patch => "PATCH",
            Self::Trace => "TRACE",
            Self::Query => "QUERY",
            Self::Other(text) => text,
        }
    }
}
