//! Responses: statuses, success and failure.

use openapiv3::{ReferenceOr, StatusCode};

use super::content::read_contents;
use super::header::read_headers;
use super::{Site, status};
use crate::diagnostic::Code;
use crate::ir::{Failure, Method, Response, Responses, Status, Success};
use crate::location::Location;
use crate::lower::name;
use crate::lower::reference::{node_at, resolve};
use crate::lower::schema::reader::Reader;

/// Marks a response that no operation returns, but that intermediaries or middleware send, such as a cache's
/// 304.
const LEFT_TO_HTTP: &str = "x-left-to-http";

/// Reads the responses of an operation.
pub(crate) fn read_responses(reader: &mut Reader<'_>, operation: &openapiv3::Operation, site: &Site<'_>) -> Responses {
    let mut declared = Vec::new();
    let list = node_at(reader.resolver.document, &site.location.member("responses"));
    for (key, node) in list.map(|list| list.own_members()).unwrap_or_default() {
        let Some(status) = status::status(key) else { continue };
        if status::is_interim(status) {
            reader
                .report(
                    Code::NotUsed,
                    &node.location.name(),
                    format!("`{key}` is not final: another response follows it"),
                )
                .label("it is left to HTTP");
            continue;
        }
        let response = match status {
            Status::Code(code) => operation.responses.responses.get(&StatusCode::Code(code)),
            Status::Range(first) => operation.responses.responses.get(&StatusCode::Range(first.into())),
            Status::Default => operation.responses.default.as_ref(),
        };
        declared.extend(response.and_then(|response| read_response(reader, response, status, &node.location, site)));
    }
    let succeeds = declared.iter().any(|response| status::is_success(response.status));
    let (mut success, failure): (Vec<_>, Vec<_>) = declared
        .into_iter()
        .partition(|response| status::is_success(response.status) || (response.status == Status::Default && !succeeds));
    if success.is_empty() {
        reader
            .report(
                Code::NoSuccess,
                &site.location.member("responses").name(),
                "this operation has no successful response",
            )
            .label("an empty answer with status 200 is assumed")
            .help("declare the status it answers with, such as `\"204\": { description: Done. }`");
        success.push(empty(Status::Code(200)));
    }
    Responses {
        success: success_type(named(success, &site.rust), format!("{}Response", site.rust)),
        failure: failure_type(named(failure, &site.rust), format!("{}Error", site.rust)),
    }
}

/// The success type; `rust` names a new type.
fn success_type(responses: Vec<Response>, rust: String) -> Success {
    match <[Response; 1]>::try_from(responses) {
        Ok([response]) if !response.headers.is_empty() => Success::Struct { rust, response },
        Ok([response]) if response.contents.is_empty() => Success::Nothing(response),
        Ok([response]) => Success::Body(response),
        Err(responses) => Success::Enum { rust, responses },
    }
}

/// The failure type; `rust` names a new type.
fn failure_type(responses: Vec<Response>, rust: String) -> Failure {
    if responses.is_empty() {
        Failure::Undocumented
    } else if have_one_body(&responses) {
        Failure::Shared { responses }
    } else {
        Failure::Enum { rust, responses }
    }
}

fn read_response(
    reader: &mut Reader<'_>,
    response: &ReferenceOr<openapiv3::Response>,
    status: Status,
    location: &Location,
    site: &Site<'_>,
) -> Option<Response> {
    let (response, location) = resolve(&mut reader.resolver, response, location)?;
    if node_at(reader.resolver.document, &location).is_some_and(|node| node.flag(LEFT_TO_HTTP)) {
        return None;
    }
    let shared = location.pointer().strip_prefix("/components/responses/").map(name::pascal);
    let content = node_at(reader.resolver.document, &location.member("content"));
    let has_no_body = matches!(status, Status::Code(100..=199 | 204 | 205 | 304)) || site.method == Method::Head;
    let hint = shared.unwrap_or_else(|| {
        let variant = if status == Status::Code(200) { String::new() } else { status::variant(status) };
        format!("{}{variant}Response", site.rust)
    });
    let contents = match content {
        Some(content) if !has_no_body => read_contents(reader, &content, &hint),
        Some(content) if site.method != Method::Head && !content.own_members().is_empty() => {
            reader
                .report(Code::NotUsed, &content.location.name(), "HTTP allows no body with this status")
                .label("the content is left out");
            Vec::new()
        }
        Some(_) | None => Vec::new(),
    };
    let headers = read_headers(reader, &response, &location, site, &hint);
    let doc = Some(response.description.trim().to_owned()).filter(|text| !text.is_empty());
    Some(Response { doc, headers, contents, ..empty(status) })
}

fn empty(status: Status) -> Response {
    Response {
        status,
        rust: String::new(),
        doc: None,
        headers: Vec::new(),
        contents: Vec::new(),
        body_rust: String::new(),
    }
}

/// The body that all failures share, if they have nothing else.
fn have_one_body(failures: &[Response]) -> bool {
    let body = |response: &Response| response.json().filter(|_| response.headers.is_empty()).cloned();
    let mut bodies = failures.iter().map(body);
    let first = bodies.next().flatten();
    first.is_some() && bodies.all(|body| body == first)
}

/// Each response with the name of its variant.
fn named(responses: Vec<Response>, operation: &str) -> Vec<Response> {
    let wanted: Vec<_> = responses.iter().map(|response| status::variant(response.status)).collect();
    let names = name::unique(&wanted, &mut name::Scope::default());
    let pairs = responses.into_iter().zip(names);
    pairs.map(|(response, rust)| Response { body_rust: format!("{operation}{rust}Body"), rust, ..response }).collect()
}
