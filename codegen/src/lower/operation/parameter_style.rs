//! `style` and `explode`: how the value of a parameter becomes text.

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

/// `x-style`: what Swagger 2.0 has in places where OpenAPI 3.0 has no style for it, and what came with 3.2.
pub(crate) fn other_style(name: &str) -> Option<ParameterStyle> {
    match name {
        "spaceDelimited" => Some(ParameterStyle::SpaceDelimited),
        "pipeDelimited" => Some(ParameterStyle::PipeDelimited),
        "tabDelimited" => Some(ParameterStyle::TabDelimited),
        "cookie" => Some(ParameterStyle::Cookie),
        _ => None,
    }
}

/// The encoding of a value that `style` says. A value that it has no form for is JSON.
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
    // It makes no difference to `deepObject`.
    let explode = style == ParameterStyle::DeepObject
        || data.explode.unwrap_or(matches!(style, ParameterStyle::Form | ParameterStyle::Cookie));
    if has_form(reader, &value.ty, style) {
        ParameterEncoding::Style { style, explode, allow_reserved, shape }
    } else {
        let is_list = shape == ParameterShape::Array && style == ParameterStyle::Form && explode;
        report_untyped(&mut reader.resolver.reporter, &data.name, location).label(if is_list {
            "each item is taken for JSON"
        } else {
            "it is taken for JSON"
        });
        if is_list && place == ParameterLocation::Query {
            ParameterEncoding::JsonItems
        } else {
            ParameterEncoding::Json
        }
    }
}

/// The only style that tells an object from what is none.
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

#[cfg(test)]
mod tests {
    use crate::lower::testing::operation;

    #[test]
    fn styles_have_the_defaults_of_the_specification() {
        let cases = [
            ("{ name: a, in: query, schema: { type: string } }", "query a?: String Form explode Primitive"),
            (
                "{ name: a, in: query, required: true, schema: { type: array, items: { type: integer } } }",
                "query a: Vec<i64> Form explode Array",
            ),
            (
                "{ name: a, in: query, explode: false, schema: { type: array, items: {} } }",
                "query a?: Vec<String> Form Array",
            ),
            (
                "{ name: a, in: query, style: spaceDelimited, schema: { type: array, items: {} } }",
                "query a?: Vec<String> SpaceDelimited Array",
            ),
            (
                "{ name: a, in: query, style: pipeDelimited, explode: true, schema: { type: array, items: {} } }",
                "query a?: Vec<String> PipeDelimited explode Array",
            ),
            (
                "{ name: a, in: query, style: deepObject, schema: { type: object } }",
                "query a?: Map<String> DeepObject explode Object",
            ),
            (
                "{ name: a, in: query, allowReserved: true, schema: {} }",
                "query a?: String Form explode reserved Primitive",
            ),
            (
                "{ name: a, in: query, x-style: tabDelimited, explode: false, schema: { type: array, items: {} } }",
                "query a?: Vec<String> TabDelimited Array",
            ),
            (
                "{ name: X-A, in: header, x-style: pipeDelimited, schema: { type: array, items: {} } }",
                "header x_a?: Vec<String> PipeDelimited Array",
            ),
            ("{ name: X-A, in: header, schema: { type: array, items: {} } }", "header x_a?: Vec<String> Simple Array"),
            ("{ name: a, in: cookie, schema: { type: boolean } }", "cookie a?: Boolean Form explode Primitive"),
            (
                "{ name: a, in: query, content: { application/json: { schema: { type: object } } } }",
                "query a?: Map<Any> json",
            ),
            (
                "{ name: a, in: query, schema: { type: integer, nullable: true, minimum: 1 } }",
                "query a?: i64(>= 1) Form explode Primitive",
            ),
            // One or many is a list, of which one is an example.
            (
                "{ name: a, in: query, schema: { oneOf: [{ type: string }, { type: array, items: { type: string } }] } }",
                "query a?: Vec<String> Form explode Array",
            ),
            (
                "{ name: a, in: query, schema: { oneOf: [{ type: string, format: date }, { type: array, items: { type: integer } }] } }",
                "query a?: Vec<String> Form explode Array",
            ),
            (
                "{ name: a, in: query, x-in: querystring, required: true, content: { application/json: { schema: { type: integer } } } }",
                "querystring a: i64 json",
            ),
        ];
        for (yaml, expected) in cases {
            let lowered = operation(&format!("parameters: [{yaml}]"));
            let parameter = &lowered.only().parameters[0];
            assert_eq!((lowered.parameter(parameter).as_str(), &lowered.problems), (expected, &Vec::new()), "{yaml}");
            assert_eq!(lowered.models(), Vec::<String>::new());
        }
    }

    #[test]
    fn what_is_more_than_texts_is_json_unless_it_is_a_deep_object() {
        let object = "{ type: object, properties: { x: { type: integer } } }";
        let list = format!("{{ type: array, items: {object} }}");
        let map = "{ type: object, additionalProperties: { type: object, additionalProperties: { type: string } } }";
        let cases = [
            (format!("{{ name: a, in: query, schema: {list} }}"), "query a?: Vec<SendAItem> items as json", true),
            (
                format!("{{ name: a, in: query, explode: false, schema: {list} }}"),
                "query a?: Vec<SendAItem> json",
                true,
            ),
            (format!("{{ name: A, in: header, schema: {list} }}"), "header a?: Vec<SendAItem> json", true),
            (format!("{{ name: a, in: query, schema: {map} }}"), "query a?: Map<Map<String>> json", true),
            (
                format!("{{ name: a, in: query, schema: {{ type: array, items: {map} }} }}"),
                "query a?: Vec<Map<Map<String>>> items as json",
                true,
            ),
            (
                format!(
                    "{{ name: a, in: query, style: deepObject, explode: true, schema: {{ oneOf: [{object}, {{ type: integer }}] }} }}"
                ),
                "query a?: SendA DeepObject explode Several",
                false,
            ),
            (
                format!(
                    "{{ name: a, in: query, style: deepObject, schema: {{ anyOf: [{list}, {{ type: string }}] }} }}"
                ),
                "query a?: SendA DeepObject explode Several",
                false,
            ),
            (
                format!("{{ name: a, in: query, schema: {{ oneOf: [{{ type: integer }}, {object}] }} }}"),
                "query a?: SendA DeepObject explode Several",
                true,
            ),
            (
                format!("{{ name: a, in: query, style: deepObject, explode: true, schema: {list} }}"),
                "query a?: Vec<SendAItem> DeepObject explode Array",
                false,
            ),
            (
                format!("{{ name: a, in: query, style: deepObject, explode: true, schema: {map} }}"),
                "query a?: Map<Map<String>> json",
                true,
            ),
        ];
        for (yaml, expected, is_reported) in cases {
            let lowered = operation(&format!("parameters: [{yaml}]"));
            let parameter = &lowered.only().parameters[0];
            let problems = if is_reported { vec!["W0320 /paths/~1/post/parameters/0"] } else { Vec::new() };
            assert_eq!(lowered.parameter(parameter), expected, "{yaml}");
            assert_eq!(lowered.problems, problems, "{yaml}");
        }
    }
}
