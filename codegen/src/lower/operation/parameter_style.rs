//! `style` and `explode`: how a parameter is serialized.

use openapiv3::{CookieStyle, HeaderStyle, ParameterData, PathStyle, QueryStyle};

use super::parameter_shape::{has_form, has_several_shapes, parameter_shape, report_untyped};
use crate::ir::{ParameterEncoding, ParameterLocation, ParameterShape, ParameterStyle, Value};
use crate::location::Location;
use crate::lower::reporter::Reporter;
use crate::lower::schema::reader::Reader;

/// `in`, `style` and `allowReserved`, with the defaults of the specification.
pub(crate) fn style(parameter: &openapiv3::Parameter) -> (ParameterLocation, ParameterStyle, bool) {
    match parameter {
        openapiv3::Parameter::Path { style, .. } => {
            let style = match style {
                PathStyle::Matrix => ParameterStyle::Matrix,
                PathStyle::Label => ParameterStyle::Label,
                PathStyle::Simple => ParameterStyle::Simple,
            };
            (ParameterLocation::Path, style, false)
        }
        openapiv3::Parameter::Query { style, allow_reserved, .. } => {
            let style = match style {
                QueryStyle::Form => ParameterStyle::Form,
                QueryStyle::SpaceDelimited => ParameterStyle::SpaceDelimited,
                QueryStyle::PipeDelimited => ParameterStyle::PipeDelimited,
                QueryStyle::DeepObject => ParameterStyle::DeepObject,
            };
            (ParameterLocation::Query, style, *allow_reserved)
        }
        openapiv3::Parameter::Header { style: HeaderStyle::Simple, .. } => {
            (ParameterLocation::Header, ParameterStyle::Simple, false)
        }
        openapiv3::Parameter::Cookie { style: CookieStyle::Form, .. } => {
            (ParameterLocation::Cookie, ParameterStyle::Form, false)
        }
    }
}

/// `x-style`: styles of Swagger 2.0 that OpenAPI 3.0 lacks in some locations, and styles of 3.2.
pub(crate) fn other_style(name: &str) -> Option<ParameterStyle> {
    match name {
        "spaceDelimited" => Some(ParameterStyle::SpaceDelimited),
        "pipeDelimited" => Some(ParameterStyle::PipeDelimited),
        "tabDelimited" => Some(ParameterStyle::TabDelimited),
        "cookie" => Some(ParameterStyle::Cookie),
        _ => None,
    }
}

/// The encoding for a style; a value that it cannot represent is JSON.
pub(crate) fn styled(
    reader: &mut Reader<'_>,
    value: &mut Value,
    (place, mut style, allow_reserved): (ParameterLocation, ParameterStyle, bool),
    data: &ParameterData,
    location: &Location,
) -> ParameterEncoding {
    let shape = if place == ParameterLocation::Query && has_several_shapes(reader, &value.ty) {
        style = deep_object_style(&mut reader.resolver.reporter, style, &data.name, location);
        ParameterShape::Several
    } else {
        parameter_shape(reader, value, &data.name, location)
    };
    // `deepObject` ignores it.
    let explode = style == ParameterStyle::DeepObject
        || data.explode.unwrap_or(matches!(style, ParameterStyle::Form | ParameterStyle::Cookie));
    if has_form(reader, &value.ty, style) {
        ParameterEncoding::Style { style, explode, allow_reserved, shape }
    } else {
        let is_list = shape == ParameterShape::Array && style == ParameterStyle::Form && explode;
        report_untyped(&mut reader.resolver.reporter, &data.name, location).label(if is_list {
            "each item is sent as JSON"
        } else {
            "it is sent as JSON"
        });
        if is_list && place == ParameterLocation::Query {
            ParameterEncoding::JsonItems
        } else {
            ParameterEncoding::Json
        }
    }
}

/// The only style that tells objects from other values.
fn deep_object_style(
    reporter: &mut Reporter<'_>,
    style: ParameterStyle,
    name: &str,
    location: &Location,
) -> ParameterStyle {
    if style != ParameterStyle::DeepObject {
        report_untyped(reporter, name, location)
            .label(format!("its members are written as `{name}[member]`, by `style: deepObject`"));
    }
    ParameterStyle::DeepObject
}
