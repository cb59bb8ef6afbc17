//! Responses: statuses, success and failure.

use openapiv3::{ReferenceOr, StatusCode};

use super::content::{Within, read_contents};
use super::header::read_headers;
use super::{Site, status};
use crate::diagnostic::Code;
use crate::ir::{Content, Failure, Header, Method, Negotiation, Response, Responses, Status, Success};
use crate::location::Location;
use crate::lower::name;
use crate::lower::reference::{node_at, resolve};
use crate::lower::schema::reader::Reader;

/// Marks a response that no operation returns, but that intermediaries or middleware send, such as a cache's
/// 304.
const LEFT_TO_HTTP: &str = "x-left-to-http";

/// A response whose name depends on the others.
struct Declared {
    status: Status,
    doc: Option<String>,
    headers: Vec<Header>,
    contents: Vec<Content>,
}

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
        success.push(Declared { status: Status::Code(200), doc: None, headers: Vec::new(), contents: Vec::new() });
    }
    let negotiation = negotiation(&success);
    let success = named(success, &site.rust, negotiation);
    let failure = named(failure, &site.rust, |_| Negotiation::Preferred);
    Responses {
        success: success_type(success, format!("{}Response", site.rust)),
        failure: failure_type(failure, format!("{}Error", site.rust)),
    }
}

/// The success type; `rust` names a new type. A lone `default` usually means 200, so it needs no status.
fn success_type(responses: Vec<Response>, rust: String) -> Success {
    match <[Response; 1]>::try_from(responses) {
        Ok([response]) if !response.headers.is_empty() || matches!(response.status, Status::Range(_)) => {
            Success::Struct { rust, response }
        }
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
) -> Option<Declared> {
    let (response, location) = resolve(&mut reader.resolver, response, location)?;
    if node_at(reader.resolver.document, &location).is_some_and(|node| node.flag(LEFT_TO_HTTP)) {
        return None;
    }
    let shared = location.pointer().strip_prefix("/components/responses/").map(name::pascal);
    let content = node_at(reader.resolver.document, &location.member("content"));
    let has_no_body = matches!(status, Status::Code(100..=199 | 204 | 205 | 304)) || site.method == Method::HEAD;
    let hint = shared.unwrap_or_else(|| {
        let variant = if status == Status::Code(200) { String::new() } else { status::variant(status) };
        format!("{}{variant}Response", site.rust)
    });
    let contents = match content {
        Some(content) if !has_no_body => read_contents(reader, &content, Within::Response, &hint),
        Some(content) if site.method != Method::HEAD && !content.own_members().is_empty() => {
            reader
                .report(Code::NotUsed, &content.location.name(), "HTTP allows no body with this status")
                .label("the content is left out");
            Vec::new()
        }
        Some(_) | None => Vec::new(),
    };
    let headers = read_headers(reader, &response, &location, site, &hint);
    let doc = Some(response.description.trim().to_owned()).filter(|text| !text.is_empty());
    Some(Declared { status, doc, headers, contents })
}

/// How each of these responses is negotiated: among all media types if each response has the same ones.
fn negotiation(success: &[Declared]) -> impl Fn(&Declared) -> Negotiation + use<> {
    let media_types = |response: &Declared| -> Vec<String> {
        response.contents.iter().flat_map(|content| content.media_types.clone()).collect()
    };
    let mut offered = success.iter().map(media_types).filter(|media_types| !media_types.is_empty());
    let first = offered.next();
    let is_alike = offered.all(|media_types| Some(media_types) == first);
    move |response| if is_alike && response.contents.len() < 2 { Negotiation::All } else { Negotiation::Within }
}

/// The body that all failures share, if they have nothing else.
fn have_one_body(failures: &[Response]) -> bool {
    let body = |response: &Response| response.json().filter(|_| response.headers.is_empty()).cloned();
    let mut bodies = failures.iter().map(body);
    let first = bodies.next().flatten();
    first.is_some() && bodies.all(|body| body == first)
}

/// Each response with the name of its variant.
fn named(declared: Vec<Declared>, operation: &str, negotiation: impl Fn(&Declared) -> Negotiation) -> Vec<Response> {
    let wanted: Vec<_> = declared.iter().map(|response| status::variant(response.status)).collect();
    let names = name::unique(&wanted, &mut name::Scope::default());
    let response = |(declared, rust): (Declared, String)| {
        let negotiation = negotiation(&declared);
        let Declared { status, doc, headers, contents } = declared;
        Response { status, doc, headers, contents, body_rust: format!("{operation}{rust}Body"), rust, negotiation }
    };
    declared.into_iter().zip(names).map(response).collect()
}
