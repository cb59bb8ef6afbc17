//! Response headers: which ones a service sets, and their types.

use openapiv3::{ParameterSchemaOrContent, ReferenceOr};

use super::media_type::essence;
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

/// Headers that HTTP sets itself; setting them could only break the message.
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

/// The headers that a service sets.
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
        match wire.to_ascii_lowercase().as_str() {
            // The specification says to declare the media type in `content`.
            "content-type" => {}
            // A response to HEAD has no body to take the length from.
            "content-length" if site.method == Method::HEAD => {
                headers.extend(read_header(reader, wire, header, &place, hint));
            }
            name if OF_HTTP.contains(&name) => leave_to_http(&mut reader.resolver.reporter, wire, &place),
            _ if !is_header_name(&mut reader.resolver.reporter, wire, &place) => {}
            _ => headers.extend(read_header(reader, wire, header, &place, hint)),
        }
    }
    let reserved: &[&str] = &["body", "reply", "status"];
    let wanted: Vec<_> = headers.iter().map(|header| header.name.rust.clone()).collect();
    for (header, rust) in headers.iter_mut().zip(name::unique(&wanted, &mut name::Scope::reserving(reserved))) {
        header.name.rust = rust;
    }
    headers
}

/// Checks that the name of a header is a token (RFC 9110, section 5.1).
pub(crate) fn is_header_name(reporter: &mut Reporter<'_>, wire: &str, place: &Location) -> bool {
    if is_token(wire) {
        return true;
    }
    reporter
        .report(Code::NotUsed, &place.name(), format!("`{wire}` is not a header name"))
        .label("the header is left out");
    false
}

/// Reports a header that only HTTP sets.
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
    report_content(&mut reader.resolver.reporter, wire, &header, &location);
    let schema = node_at(reader.resolver.document, &location.member("schema"));
    let mut value =
        schema.as_ref().map_or_else(|| Value::plain(Type::String), |schema| value_at(reader, schema, &hint));
    if value.ty == Type::Any {
        value = Value::plain(Type::String);
    }
    let mut shape = parameter_shape(reader, &mut value, wire, &location);
    if !has_form(reader, &value.ty, ParameterStyle::Simple) {
        report_untyped(&mut reader.resolver.reporter, wire, &location).label("any text is accepted");
        (value, shape) = (Value::plain(Type::String), ParameterShape::Primitive);
    }
    let explode = node_at(reader.resolver.document, &location).is_some_and(|node| node.flag("explode"));
    let described = header.description.clone().filter(|text| !text.trim().is_empty());
    let schema = schema.map(|schema| schema_at(&mut reader.resolver, &schema));
    let wire = wire.to_ascii_lowercase();
    Some(Header {
        name: Name { rust: name::snake(&wire), wire },
        doc: described.or_else(|| schema.and_then(|schema| schema.text("description").map(str::to_owned))),
        value: Value { nullable: false, ..value },
        shape,
        explode,
        required: header.required,
    })
}

/// Reports a header with another content than plain text.
fn report_content(reporter: &mut Reporter<'_>, wire: &str, header: &openapiv3::Header, location: &Location) {
    let ParameterSchemaOrContent::Content(content) = &header.format else { return };
    let Some(media_type) = content.keys().find(|media_type| essence(media_type) != "text/plain") else { return };
    reporter
        .report(
            Code::UntypedParameter,
            &location.member("content"),
            format!("nothing reads `{wire}` as `{media_type}`"),
        )
        .label("the header is a text")
        .help("`schema` is read, with the style `simple`");
}
