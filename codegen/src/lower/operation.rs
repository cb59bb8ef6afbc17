//! Paths and their operations.

mod arguments;
mod callback_url;
mod class;
pub(crate) mod content;
pub(crate) mod encoding;
pub(crate) mod function_name;
pub(crate) mod header;
pub(crate) mod media_type;
pub(crate) mod multipart;
pub(crate) mod pagination;
pub(crate) mod parameter;
pub(crate) mod parameter_shape;
pub(crate) mod parameter_style;
pub(crate) mod path;
mod positional;
pub(crate) mod request_body;
pub(crate) mod response;
pub(crate) mod security;
pub(crate) mod server;
pub(crate) mod server_choice;
pub(crate) mod status;
pub(crate) mod stream;
pub(crate) mod tag;
pub(crate) mod template;
mod tool;
pub(crate) mod webhook;
pub(crate) mod xml;

use std::borrow::Cow;

use foldhash::HashMap;
use openapiv3::{PathItem, ReferenceOr};

use super::node::Node;
use super::overrides::Overrides;
use super::overrides::name::{claim_requested, operation_name, requested_name};
use super::overrides::selection::Selected;
use super::reference::{Resolver, follow, node_at, parse};
use super::reporter::Reporter;
use super::schema::reader::Reader;
use super::{name, overrides};
use crate::diagnostic::Code;
use crate::ir::{Method, Name, Operation, Parameter, ParameterLocation, PathSegment};
use crate::location::Location;
use crate::upgrade::Version;
use function_name::function_names;
use pagination::read_pagination;
use parameter::read_parameters;
use path::{check_fragment, path_segments};
use request_body::read_request_body;
use response::read_responses;
use security::{Schemes, read_security};
use server::own_server;
use template::{complete_template, query};

/// An operation and its tag.
pub(crate) struct TaggedOperation {
    /// The first of its `tags`.
    pub(crate) tag: Option<String>,
    pub(crate) operation: Operation,
}

/// The methods, as a path item spells them.
const METHODS: &[&str] = &["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// Whether it is the name of an operation in a path item.
pub(crate) fn is_method(word: &str) -> bool {
    METHODS.contains(&word)
}

/// The location and name of an operation.
pub(crate) struct Site<'s> {
    /// The path without parameters in its query.
    pub(crate) path: &'s str,
    /// The parameters in its query, `a={b}`: their names in the query and in the template.
    pub(crate) in_query: Vec<(&'s str, &'s str)>,
    pub(crate) method: Method,
    /// The location of the operation.
    pub(crate) location: Location,
    /// The location of the path item.
    pub(crate) item: Location,
    /// The name that its method is derived from, unless the user overrides it.
    pub(crate) method_name: String,
    /// The name in Pascal case.
    pub(crate) rust: String,
    /// Whether the server sends it.
    pub(crate) is_webhook: bool,
}

/// Every operation, in the order of the description.
pub(crate) fn operations(
    reader: &mut Reader<'_>,
    schemes: &mut Schemes,
    selection: &mut Selected<'_>,
) -> Vec<TaggedOperation> {
    let document = reader.resolver.document;
    let root = document.root.member("paths");
    let mut found: Vec<TaggedOperation> = Vec::new();
    let mut ids: HashMap<String, Location> = HashMap::default();
    let function_names = function_names(reader.resolver.document);
    for (path, item) in &document.openapi.paths.paths {
        let location = root.member(path);
        let Some(node) = node_at(reader.resolver.document, &location) else { continue };
        let Some(node) = follow(&mut reader.resolver, &node) else { continue };
        let item = match item {
            ReferenceOr::Item(item) => Cow::Borrowed(item),
            ReferenceOr::Reference { .. } => match parse::<PathItem>(&mut reader.resolver.reporter, &node) {
                Some(item) => Cow::Owned(item),
                None => continue,
            },
        };
        let operations = selected_operations(&mut reader.resolver, selection, path, &location, &node);
        let segments = if operations.is_empty() {
            Vec::new()
        } else {
            path_segments(&mut reader.resolver.reporter, path, &location)
        };
        check_other_methods(&mut reader.resolver.reporter, &node);
        let known = found.len();
        let in_query = template::in_query(path);
        let sent_path = template::without_parameters_in_query(path);
        for (key, method, operation_location, operation) in operations {
            let id = operation.operation_id.as_deref().filter(|id| !id.trim().is_empty());
            let wire = match id.filter(|id| is_new_id(&mut reader.resolver.reporter, id, &operation_location, &mut ids))
            {
                Some(id) => id.to_owned(),
                None => made_id(key, path),
            };
            let method_name = function_names.get(&wire).unwrap_or(&wire).clone();
            let rust =
                operation_name(&mut reader.resolver, &mut reader.overrides, &operation_location, &wire, &method_name);
            let site = Site {
                path: &sent_path,
                in_query: in_query.clone(),
                method,
                location: operation_location,
                item: node.location.clone(),
                method_name,
                rust,
                is_webhook: false,
            };
            let lowered = read_operation(reader, schemes, &item, &operation, &site, wire, segments.clone());
            found.push(TaggedOperation { tag: operation.tags.into_iter().next(), operation: lowered });
        }
        check_fragment(&mut reader.resolver.reporter, &reader.models, path, &location, &found[known..]);
    }
    tool::name_tools(&mut reader.resolver, &mut found);
    found
}

/// The selected operations of a path item. The object model loses their order, and has no `query`.
fn selected_operations<'a>(
    resolver: &mut Resolver<'a>,
    selection: &mut Selected<'_>,
    path: &str,
    location: &Location,
    item: &Node<'a>,
) -> Vec<(&'a str, Method, Location, openapiv3::Operation)> {
    let mut chosen = Vec::new();
    let mut is_part = false;
    for (method, key, node) in methods(item, resolver.document.version) {
        let Some(operation) = parse::<openapiv3::Operation>(&mut resolver.reporter, &node) else { continue };
        let tags = tag::or_default(operation.tags.iter().map(String::as_str).collect());
        let id = node.text("operationId").filter(|id| !id.trim().is_empty());
        let id = id.map_or_else(|| made_id(key, path), str::to_owned);
        if selection.selects(&node.location, &tags, &id, Some(path)) {
            chosen.push((key, method, node.location, operation));
        } else {
            is_part = true;
        }
    }
    if is_part && chosen.is_empty() {
        selection.leave_out(location);
    }
    chosen
}

/// Whether the `operationId` is new; otherwise the first operation keeps it.
pub(crate) fn is_new_id(
    reporter: &mut Reporter<'_>,
    id: &str,
    location: &Location,
    ids: &mut HashMap<String, Location>,
) -> bool {
    let Some(earlier) = ids.get(id) else {
        ids.insert(id.to_owned(), location.clone());
        return true;
    };
    reporter
        .report(
            Code::DuplicateOperationId,
            &location.member("operationId"),
            format!("two operations have the operationId `{id}`"),
        )
        .label("named after its method and path instead")
        .related(&earlier.member("operationId"), "the first one keeps it")
        .help("give each operation its own operationId; it names the method");
    false
}

pub(crate) fn read_operation(
    reader: &mut Reader<'_>,
    schemes: &mut Schemes,
    item: &PathItem,
    operation: &openapiv3::Operation,
    site: &Site<'_>,
    wire: String,
    segments: Vec<Vec<PathSegment>>,
) -> Operation {
    let server = own_server(&mut reader.resolver.reporter, item, operation, site);
    let mut parameters = read_parameters(reader, item, operation, site);
    leave_out_fixed(&mut reader.resolver.reporter, &mut parameters, site);
    complete_template(&mut reader.resolver.reporter, &segments, &mut parameters, site);
    let request_body = operation.request_body.as_ref().and_then(|body| read_request_body(reader, body, site));
    name_parameters(&mut reader.resolver, &mut reader.overrides, &mut parameters, request_body.is_some());
    let responses = read_responses(reader, operation, site);
    let security = read_security(&mut reader.resolver, schemes, operation, site);
    let pagination = read_pagination(reader, site, &parameters, &responses);
    let default = parameters.iter().all(|parameter| !parameter.required)
        && request_body.as_ref().is_none_or(|body| !body.required);
    // Required ones first; the sort is stable.
    parameters.sort_by_key(|parameter| !parameter.required);
    let callback_urls = callback_url::read_callback_urls(reader, site, &parameters, request_body.as_ref(), &responses);
    let arguments = arguments::name_arguments(&parameters, request_body.as_ref());
    let tool = if site.is_webhook { None } else { tool::read_tool(&mut reader.resolver, site, &wire) };
    let described = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let summary = described(&operation.summary).or_else(|| described(&item.summary));
    let doc = described(&operation.description).or_else(|| described(&item.description));
    let doc = doc.filter(|doc| summary.as_deref().is_none_or(|summary| !says_same(doc, summary)));
    Operation {
        location: site.location.clone(),
        method_rust: site.method_name.clone(),
        name: Name { wire, rust: site.rust.clone() },
        module: name::module(&site.method_name),
        method: site.method.clone(),
        path: site.path.split('#').next().unwrap_or_default().to_owned(),
        server,
        segments,
        parameter_discriminators: Vec::new(),
        body_discriminators: Vec::new(),
        excluded_query: Vec::new(),
        summary,
        doc,
        deprecated: operation.deprecated,
        parameters,
        request_body,
        responses,
        security,
        pagination,
        default,
        arguments,
        tool,
        callback_urls,
        webhook: None,
    }
}

/// Whether two texts are equal up to a full stop.
fn says_same(left: &str, right: &str) -> bool {
    let sentence = |text: &str| text.trim().trim_end_matches('.').to_lowercase();
    sentence(left) == sentence(right)
}

/// Removes parameters whose value is fixed in the path's query.
fn leave_out_fixed(reporter: &mut Reporter<'_>, parameters: &mut Vec<Parameter>, site: &Site<'_>) {
    let Some(query) = query(site.path).filter(|_| !site.is_webhook) else { return };
    let names: Vec<_> = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default()).collect();
    parameters.retain(|parameter| {
        let is_fixed = parameter.location == ParameterLocation::Query && names.contains(&parameter.name.wire.as_str());
        if is_fixed {
            let message = format!("the path fixes the value of the parameter `{}`", parameter.name.wire);
            let place = parameter.written.as_ref().unwrap_or(&site.location);
            reporter.report(Code::Repaired, place, message).label("sent as the path has it");
        }
        !is_fixed
    });
}

/// Names the fields of the request struct; `body` is reserved for the body.
fn name_parameters<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    parameters: &mut [Parameter],
    body: bool,
) {
    let mut scope = name::Scope::reserving(if body { &["body"] } else { &[] });
    let nodes: Vec<Vec<Node<'a>>> = parameters
        .iter()
        .map(|parameter| {
            parameter.written.as_ref().and_then(|written| node_at(resolver.document, written)).into_iter().collect()
        })
        .collect();
    let requested: Vec<_> =
        nodes.iter().map(|nodes| requested_name(resolver, overrides, nodes, name::Case::Value)).collect();
    let given = claim_requested(&mut resolver.reporter, &requested, &mut scope);
    for ((parameter, nodes), given) in parameters.iter_mut().zip(&nodes).zip(given) {
        let wanted = name::snake(overrides::client_name(nodes, &parameter.name.wire));
        // Parameters with the same name get their location as part of the name.
        let place = parameter.location.word();
        let others = [format!("{}_{place}", wanted.trim_end_matches('_'))];
        parameter.name.rust = given.unwrap_or_else(|| scope.claim(&wanted, &others));
    }
}

/// Checks that methods of `additionalOperations` are tokens, and have no field of their own.
pub(crate) fn check_other_methods(reporter: &mut Reporter<'_>, item: &Node<'_>) {
    for (method, operation) in item.members("additionalOperations") {
        if let Some(field) = field_of(method) {
            let other = item.get(field);
            let code = if other.is_some() { Code::InvalidValue } else { Code::Repaired };
            let message = format!("`{method}` is in `additionalOperations`, but has its own field");
            let diagnostic = reporter.report(code, &operation.location.name(), message);
            match other {
                Some(other) => diagnostic.related(&other.location, "the operation of that field"),
                None => diagnostic.label(format!("read as `{field}`")),
            };
        } else if !is_token(method) {
            reporter
                .report(Code::InvalidValue, &operation.location.name(), format!("`{method}` cannot be a method"))
                .help("a method is a token (RFC 9110, section 9.1): ASCII letters, digits and some punctuation");
        }
    }
}

/// The operations of a path item in order, including those of OpenAPI 3.2, which the object model lacks.
pub(crate) fn methods<'a>(item: &Node<'a>, version: Version) -> Vec<(Method, &'a str, Node<'a>)> {
    let method = |key: &str| Method::from_bytes(key.to_ascii_uppercase().as_bytes()).ok();
    let own = item.own_members().into_iter().filter(|(key, _)| is_method(key));
    let found = own.filter_map(|(key, node)| Some((method(key)?, key, node)));
    if version < Version::OpenApi3_2 {
        return found.filter(|(method, ..)| *method != Method::QUERY).collect();
    }
    let others = item.members("additionalOperations").into_iter().filter_map(|(key, node)| match field_of(key) {
        Some(field) => (item.get(field).is_none()).then_some((method(field)?, field, node)),
        None => Some((Method::from_bytes(key.as_bytes()).ok()?, key, node)),
    });
    found.chain(others).collect()
}

/// The field of a path item for a method.
fn field_of(method: &str) -> Option<&'static str> {
    METHODS.iter().copied().find(|word| word.eq_ignore_ascii_case(method))
}

/// RFC 9110, section 5.6.2.
pub(super) fn is_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// Makes an id for an operation without one: `GET /accounts/{id}/notes` is `get_accounts_id_notes`.
fn made_id(method: &str, path: &str) -> String {
    let words: Vec<_> = path.split(['/', '{', '}']).filter(|word| !word.is_empty()).collect();
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::says_same;

    #[test]
    fn a_description_that_is_the_summary_says_nothing_more() {
        assert!(says_same("Add a new pet to the store.", "Add a new pet to the store"));
        assert!(says_same(" Lists pets\n", "lists pets."));
        assert!(!says_same("Add a new pet", "Add a new pet to the store"));
        assert!(!says_same("", "Lists pets"));
    }
}
