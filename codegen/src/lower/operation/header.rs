//! Headers: which of them are a service's to fill in, and what they hold.

use openapiv3::ReferenceOr;

use super::parameter_shape::{has_form, parameter_shape, report_untyped};
use super::{Site, is_token};
use crate::diagnostic::Code;
use crate::ir::{Header, Method, Name, ParameterShape, ParameterStyle, Type, Value};
use crate::location::Location;
use crate::lower::name;
use crate::lower::reference::{node_at, resolve};
use crate::lower::reporter::Reporter;
use crate::lower::schema::all_of::schema_at;
use crate::lower::schema::reader::Reader;
use crate::lower::schema::value_at;

/// Headers that come with every message; a service that filled them in could only contradict the message, and break it.
const OF_HTTP: &[&str] = &[
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "proxy-connection",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The headers that are a service's to fill in.
pub(crate) fn read_headers(
    reader: &mut Reader<'_>,
    response: &openapiv3::Response,
    location: &Location,
    site: &Site<'_>,
    hint: &str,
) -> Vec<Header> {
    let mut headers = Vec::new();
    for (wire, header) in &response.headers {
        let place = location.members(&["headers", wire]);
        match (wire.to_ascii_lowercase().as_str(), &site.method) {
            // The specification has the media type declared in `content`.
            ("content-type", _) => {}
            // There is no body to take the length of.
            ("content-length", Method::Head) => headers.extend(read_header(reader, wire, header, &place, hint)),
            (name, _) if OF_HTTP.contains(&name) => leave_to_http(&mut reader.resolver.reporter, wire, &place),
            _ if !is_header_name(&mut reader.resolver.reporter, wire, &place) => {}
            _ => headers.extend(read_header(reader, wire, header, &place, hint)),
        }
    }
    let reserved: &[&str] = &["body", "reply", "status"];
    let wanted: Vec<_> = headers.iter().map(|header| name::snake(&header.name.wire)).collect();
    for (header, rust) in headers.iter_mut().zip(name::unique(&wanted, &mut name::Scope::reserving(reserved))) {
        header.name.rust = rust;
    }
    headers
}

/// Reports what HTTP cannot send: the name of a header is a token (RFC 9110, section 5.1).
pub(crate) fn is_header_name(reporter: &mut Reporter<'_>, wire: &str, place: &Location) -> bool {
    if is_token(wire) {
        return true;
    }
    reporter
        .report(Code::NotUsed, &place.name(), format!("`{wire}` is no name of a header"))
        .label("the header is left out");
    false
}

/// Reports a header that nobody but HTTP fills in.
pub(crate) fn leave_to_http(reporter: &mut Reporter<'_>, wire: &str, place: &Location) {
    let message = format!("`{wire}` is written and read by HTTP itself: it describes the message or its connection");
    reporter.report(Code::NotUsed, &place.name(), message).label("the header is left out");
}

fn read_header(
    reader: &mut Reader<'_>,
    wire: &str,
    header: &ReferenceOr<openapiv3::Header>,
    location: &Location,
    hint: &str,
) -> Option<Header> {
    let (header, location) = resolve(&mut reader.resolver, header, location)?;
    let shared = location.pointer().strip_prefix("/components/headers/").map(name::pascal);
    let hint = shared.unwrap_or_else(|| format!("{hint}{}", name::pascal(wire)));
    let schema = node_at(reader.resolver.document, &location.member("schema"));
    let mut value =
        schema.as_ref().map_or_else(|| Value::plain(Type::String), |schema| value_at(reader, schema, &hint));
    if value.ty == Type::Any || header_is_content(&header) {
        value = Value::plain(Type::String);
    }
    let mut shape = parameter_shape(reader, &mut value, wire, &location);
    if !has_form(reader, &value.ty, ParameterStyle::Simple) {
        report_untyped(&mut reader.resolver.reporter, wire, &location).label("any text is taken for it");
        (value, shape) = (Value::plain(Type::String), ParameterShape::Primitive);
    }
    let explode = node_at(reader.resolver.document, &location).is_some_and(|node| node.flag("explode"));
    let described = header.description.clone().filter(|text| !text.trim().is_empty());
    let schema = schema.map(|schema| schema_at(&mut reader.resolver, &schema));
    Some(Header {
        name: Name { wire: wire.to_ascii_lowercase(), rust: String::new() },
        doc: described.or_else(|| schema.and_then(|schema| schema.text("description").map(str::to_owned))),
        value: Value { nullable: false, ..value },
        shape,
        explode,
        required: header.required,
    })
}

fn header_is_content(header: &openapiv3::Header) -> bool {
    matches!(header.format, openapiv3::ParameterSchemaOrContent::Content(_))
}

#[cfg(test)]
mod tests {
    use crate::ir::Operation;
    use crate::lower::testing::{document, operation};

    #[test]
    fn headers_of_http_are_left_to_it() {
        let headers = "Transfer-Encoding: { required: true, schema: {} }, DATE: {}, Content-Length: {}, Connection: {},
            Proxy-Authenticate: {}";
        let answer = format!("responses: {{ '200': {{ description: a, headers: {{ {headers} }} }} }}");
        let names = |operation: &Operation| -> Vec<String> {
            operation.responses.success.responses()[0].headers.iter().map(|header| header.name.wire.clone()).collect()
        };
        let lowered = operation(&answer);
        assert_eq!(names(lowered.only()), ["proxy-authenticate"]);
        let left_out = ["Transfer-Encoding", "DATE", "Content-Length", "Connection"];
        let place = "/paths/~1/post/responses/200/headers";
        assert_eq!(lowered.problems, left_out.map(|header| format!("W0314 {place}/{header}")));

        let head = format!(
            "{{ openapi: 3.0.3, info: {{ title: T, version: '1' }}, paths: {{ /: {{ head: {{ operationId: a, {answer} }} }} }} }}"
        );
        assert_eq!(names(document(&head).only()), ["content-length", "proxy-authenticate"]);
    }

    #[test]
    fn names_that_no_header_has_are_reported() {
        let lowered = operation(
            "
            parameters: [{ name: X Y, in: header, schema: {} }, { name: X-Näme, in: header, schema: {} }, { name: X_Y, in: header, schema: {} }]
            responses: { '200': { description: a, headers: { 'X:Y': {}, X-Y: {} } } }
            ",
        );
        let parameters = lowered.only().parameters.iter().map(|parameter| parameter.name.wire.as_str());
        assert_eq!(parameters.collect::<Vec<_>>(), ["X_Y"]);
        assert_eq!(lowered.only().responses.success.responses()[0].headers.len(), 1);
        let place = "/paths/~1/post";
        let places = ["parameters/0", "parameters/1", "responses/200/headers/X:Y"];
        assert_eq!(lowered.problems, places.map(|name| format!("W0314 {place}/{name}")));
    }

    #[test]
    fn headers_are_typed() {
        let lowered = operation(
            "
            responses:
              '200':
                description: a
                headers:
                  X-Count: { required: true, schema: { type: integer, format: int32 } }
                  Content-Type: { schema: { type: string } }
                  Link: { schema: { type: array, items: { type: string } } }
                  body: { schema: {} }
        ",
        );
        let headers: Vec<_> = lowered.only().responses.success.responses()[0]
            .headers
            .iter()
            .map(|header| {
                format!(
                    "{} {}: {} {:?} {}",
                    header.name.wire,
                    header.name.rust,
                    lowered.value(&header.value),
                    header.shape,
                    header.required
                )
            })
            .collect();
        assert_eq!(
            headers,
            [
                "x-count x_count: i32 Primitive true",
                "link link: Vec<String> Array false",
                "body body_2: String Primitive false"
            ]
        );
    }
}
