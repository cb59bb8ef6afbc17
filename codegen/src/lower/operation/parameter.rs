//! Parameters: those of path item and operation, with their styles.

use openapiv3::{ParameterSchemaOrContent, PathItem};

use super::Site;
use super::header::{is_header_name, leave_to_http};
use super::media_type::is_json;
use super::parameter_shape::parameter_shape;
use super::parameter_style::{other_style, style, styled};
use super::template::repair_place;
use crate::diagnostic::Code;
use crate::ir::{
    JsonType, Name, Parameter, ParameterEncoding, ParameterLocation, ParameterShape, ParameterStyle, Type, Value,
};
use crate::location::Location;
use crate::lower::name;
use crate::lower::reference::{node_at, resolve};
use crate::lower::schema::alias::without_aliases;
use crate::lower::schema::all_of::schema_at;
use crate::lower::schema::default::{has_literal, read_default};
use crate::lower::schema::reader::Reader;
use crate::lower::schema::value_at;

/// Headers that have their own declarations: by the specification, parameters with these names are ignored.
const RESERVED: &[&str] = &["accept", "content-type", "authorization"];

/// Headers that delimit the body, which HTTP sets itself.
const FRAMING: &[&str] = &["content-length", "transfer-encoding"];

/// The parameters of an operation: its own, and those of the path item that it does not override.
pub(crate) fn read_parameters(
    reader: &mut Reader<'_>,
    item: &PathItem,
    operation: &openapiv3::Operation,
    site: &Site<'_>,
) -> Vec<Parameter> {
    let mut parameters: Vec<(Parameter, Location)> = Vec::new();
    for (list, owner) in [(&item.parameters, &site.item), (&operation.parameters, &site.location)] {
        let mut own: Vec<(Parameter, Location)> = Vec::new();
        for (index, parameter) in list.iter().enumerate() {
            let location = owner.member("parameters").item(index);
            let Some((parameter, location)) = resolve(&mut reader.resolver, parameter, &location) else { continue };
            let Some(parameter) = read_parameter(reader, &parameter, &location, site) else { continue };
            if own.iter().any(|(other, _)| is_same(other, &parameter)) {
                let message =
                    format!("`{}` is declared twice in the {}", parameter.name.wire, parameter.location.word());
                reader.report(Code::DuplicateParameter, &location, message).label("the first one counts");
                continue;
            }
            own.push((parameter, location));
        }
        for (parameter, location) in own {
            match parameters.iter_mut().find(|(other, _)| is_same(other, &parameter)) {
                Some(inherited) => *inherited = (parameter, location),
                None => parameters.push((parameter, location)),
            }
        }
    }
    let mut placed: Vec<Parameter> = Vec::new();
    for (mut parameter, location) in parameters {
        repair_place(&mut reader.resolver.reporter, &mut parameter, &location, site);
        if placed.iter().all(|other| !is_same(other, &parameter)) {
            placed.push(parameter);
        }
    }
    placed
}

fn read_parameter(
    reader: &mut Reader<'_>,
    parameter: &openapiv3::Parameter,
    location: &Location,
    site: &Site<'_>,
) -> Option<Parameter> {
    let data = parameter.parameter_data_ref();
    let (mut place, mut style, allow_reserved) = style(parameter);
    let node = node_at(reader.resolver.document, location);
    if let Some(own) = node.as_ref().and_then(|node| other_style(node.text("x-style")?)) {
        style = own;
    }
    if node.is_some_and(|node| node.text("x-in") == Some("querystring")) {
        (place, style) = (ParameterLocation::QueryString, ParameterStyle::Simple);
    }
    if place == ParameterLocation::Header {
        let name = data.name.to_ascii_lowercase();
        if FRAMING.contains(&name.as_str()) {
            leave_to_http(&mut reader.resolver.reporter, &data.name, location);
            return None;
        }
        if RESERVED.contains(&name.as_str()) || !is_header_name(&mut reader.resolver.reporter, &data.name, location) {
            return None;
        }
    }
    let shared = location.pointer().starts_with("/components/");
    let owner = if shared { "" } else { site.rust.as_str() };
    let hint = format!("{owner}{}", name::pascal(&data.name));
    let schema_place = match &data.format {
        ParameterSchemaOrContent::Schema(_) => location.member("schema"),
        ParameterSchemaOrContent::Content(content) => {
            let media_type = content.keys().next().map_or("", String::as_str);
            location.members(&["content", media_type, "schema"])
        }
    };
    let schema = node_at(reader.resolver.document, &schema_place);
    let (value, encoding) = match &data.format {
        ParameterSchemaOrContent::Schema(_) => {
            let mut value = value_at(reader, schema.as_ref()?, &hint);
            let encoding = styled(reader, &mut value, (place, style, allow_reserved), data, location);
            (value, encoding)
        }
        ParameterSchemaOrContent::Content(content) => {
            let media_type = content.keys().next().map_or("", String::as_str);
            let value = schema.as_ref().map(|schema| value_at(reader, schema, &hint));
            if is_json(media_type) {
                (value.unwrap_or_else(|| Value::plain(Type::Any)), ParameterEncoding::Json)
            } else {
                (
                    text_parameter(reader, value, media_type, &data.name, location),
                    ParameterEncoding::Style {
                        style,
                        explode: false,
                        allow_reserved,
                        shape: ParameterShape::Primitive,
                    },
                )
            }
        }
    };
    let schema = schema.map(|node| schema_at(&mut reader.resolver, &node));
    let default = schema.as_ref().and_then(|schema| schema.annotation("default"));
    let is_path = place == ParameterLocation::Path;
    let default = default.filter(|node| !data.required && !is_path && !node.value.is_null());
    let place_of_default = default.as_ref().map(|node| node.location.clone());
    let default = default.and_then(|node| read_default(reader, &node, &value));
    let filled = default.as_ref().is_some_and(|default| has_literal(reader, default, &value));
    if let (Some(place), false) = (place_of_default, filled)
        && !reader.resolver.reporter.has_reported(Code::InvalidDefault, &place)
    {
        let message = format!("the default of `{}` is not filled in", data.name);
        reader.report(Code::NotUsed, &place.name(), message).label("the service sees that it is absent");
    }
    report_reserved(reader, (place, style), &data.name, location);
    if node_at(reader.resolver.document, location).is_some_and(|node| node.flag("allowEmptyValue"))
        && !may_be_empty(reader, &value)
    {
        let place = location.member("allowEmptyValue").name();
        reader
            .report(Code::NotUsed, &place, format!("the type of `{}` has no empty value", data.name))
            .label(format!("`?{}=` is refused", data.name));
    }
    if is_path && !data.required {
        reader
            .report(Code::Repaired, location, format!("the path parameter `{}` is not `required: true`", data.name))
            .label("treated as required: the path needs it");
    }
    let described = data.description.clone().filter(|text| !text.trim().is_empty());
    Some(Parameter {
        written: Some(location.clone()),
        name: Name { wire: data.name.clone(), rust: name::snake(&data.name) },
        doc: described.or_else(|| schema.as_ref().and_then(|schema| schema.text("description")).map(str::to_owned)),
        location: place,
        encoding,
        // Texts in URLs and headers are never `null`.
        value: Value { nullable: false, ..value },
        required: data.required || is_path,
        default,
        filled,
        deprecated: data.deprecated.unwrap_or(false),
        excluded_names: Vec::new(),
    })
}

/// Reports `allowReserved` of a value whose reserved characters are encoded: a `/` in a path would make it another path.
fn report_reserved(
    reader: &mut Reader<'_>,
    (place, style): (ParameterLocation, ParameterStyle),
    name: &str,
    location: &Location,
) {
    let is_encoded = match place {
        ParameterLocation::Path => true,
        ParameterLocation::Cookie => style != ParameterStyle::Cookie,
        ParameterLocation::Query | ParameterLocation::QueryString | ParameterLocation::Header => false,
    };
    if is_encoded && node_at(reader.resolver.document, location).is_some_and(|node| node.flag("allowReserved")) {
        let place = location.member("allowReserved").name();
        reader
            .report(Code::NotUsed, &place, format!("`allowReserved` of `{name}` is not used"))
            .label("reserved characters are percent-encoded");
    }
}

/// Whether the empty text is a valid value.
fn may_be_empty(reader: &mut Reader<'_>, value: &Value) -> bool {
    let ty = without_aliases(reader, value).ty;
    match ty.json() {
        Some(JsonType::Boolean | JsonType::Number | JsonType::Null) => false,
        Some(JsonType::String) => matches!(ty, Type::String | Type::Base64 | Type::Binary | Type::Foreign(_)),
        Some(JsonType::Array | JsonType::Object) | None => true,
    }
}

/// The value of a parameter with a text format.
fn text_parameter(
    reader: &mut Reader<'_>,
    value: Option<Value>,
    media_type: &str,
    name: &str,
    location: &Location,
) -> Value {
    let text = Value::plain(Type::String);
    if media_type.starts_with("text/plain") {
        let mut value = value.unwrap_or_else(|| text.clone());
        let shape = parameter_shape(reader, &mut value, name, location);
        return if shape == ParameterShape::Primitive { value } else { text };
    }
    let message = format!("nothing reads `{name}` as `{media_type}`");
    reader
        .report(Code::UntypedParameter, &location.member("content"), message)
        .label("any text is accepted")
        .help("`application/json` and `schema` with a `style` are read");
    text
}

/// Compares `name` and `in`; header names are case-insensitive.
fn is_same(left: &Parameter, right: &Parameter) -> bool {
    left.location == right.location
        && match left.location {
            ParameterLocation::Header => left.name.wire.eq_ignore_ascii_case(&right.name.wire),
            // There is only one query string.
            ParameterLocation::QueryString => true,
            ParameterLocation::Path | ParameterLocation::Query | ParameterLocation::Cookie => {
                left.name.wire == right.name.wire
            }
        }
}
