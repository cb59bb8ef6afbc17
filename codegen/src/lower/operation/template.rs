//! Path templates and their parameters must match.

use super::Site;
use crate::diagnostic::Code;
use crate::ir::{
    Name, Parameter, ParameterEncoding, ParameterLocation, ParameterShape, ParameterStyle, PathSegment, Type, Value,
};
use crate::location::Location;
use crate::lower::name;
use crate::lower::reporter::Reporter;

/// Declares the missing parameters of the template as strings.
pub(crate) fn complete_template(
    reporter: &mut Reporter<'_>,
    segments: &[Vec<PathSegment>],
    parameters: &mut Vec<Parameter>,
    site: &Site<'_>,
) {
    for (wire, _) in &site.in_query {
        let is_it = |other: &Parameter| other.location == ParameterLocation::Query && other.name.wire == *wire;
        if !parameters.iter().any(is_it) {
            parameters.push(undeclared(wire, ParameterLocation::Query));
        }
    }
    let mut seen = Vec::new();
    for piece in segments.iter().flatten() {
        let PathSegment::Parameter(name) = piece else { continue };
        if seen.contains(&name) {
            let message = format!("`{{{name}}}` occurs more than once in this path");
            reporter
                .report(Code::DuplicateParameter, &site.location.name(), message)
                .label("all of them have the value of the one parameter");
            continue;
        }
        seen.push(name);
        let declared = parameters
            .iter()
            .any(|parameter| parameter.location == ParameterLocation::Path && parameter.name.wire == *name);
        if !declared {
            reporter
                .report(
                    Code::PathParameterNotDeclared,
                    &site.location.name(),
                    format!("the path has `{{{name}}}`, but no path parameter `{name}` is declared"),
                )
                .label(format!("treated as a string: the path is `{}`", site.path))
                .help(format!(
                    "declare it: `{{ name: {name}, in: path, required: true, schema: {{ type: string }} }}`"
                ));
            parameters.push(undeclared(name, ParameterLocation::Path));
        }
    }
}

/// Moves a path parameter without a place in the template to the query.
pub(crate) fn repair_place(
    reporter: &mut Reporter<'_>,
    parameter: &mut Parameter,
    location: &Location,
    site: &Site<'_>,
) {
    let name = &parameter.name.wire;
    if parameter.location == ParameterLocation::Path && !site.path.contains(&format!("{{{name}}}")) {
        // The query in the path has been reported.
        match site.in_query.iter().find(|(_, parameter)| parameter == name) {
            Some((wire, _)) => parameter.name.wire = (*wire).to_owned(),
            None => {
                reporter
                    .report(
                        Code::PathParameterOutsideTemplate,
                        &location.member("in"),
                        format!("`{name}` is declared as a path parameter, but the path has no `{{{name}}}`"),
                    )
                    .label(format!("treated as a query parameter: the path is `{}`", site.path))
                    .help("make it `in: query`, or add it to the path");
            }
        }
        parameter.location = ParameterLocation::Query;
        if let ParameterEncoding::Style { style, .. } = &mut parameter.encoding {
            *style = ParameterStyle::Form;
        }
    }
}

/// The parameters in the query of a path, `a={b}`: `a` and `b`; for `{a}=1` both are `a`.
pub(crate) fn in_query(path: &str) -> Vec<(&str, &str)> {
    let pairs = query(path).into_iter().flat_map(|query| query.split('&'));
    pairs.filter_map(parameter_of).collect()
}

fn parameter_of(pair: &str) -> Option<(&str, &str)> {
    let (name, value) = pair.split_once('=')?;
    inside(value).map(|value| (name, value)).or_else(|| inside(name).map(|name| (name, name)))
}

fn inside(text: &str) -> Option<&str> {
    text.strip_prefix('{')?.strip_suffix('}')
}

/// The path without these parameters.
pub(crate) fn without_parameters_in_query(path: &str) -> String {
    let (sent, fragment) = path.split_at(path.find('#').unwrap_or(path.len()));
    let Some((before, query)) = sent.split_once('?') else { return path.to_owned() };
    let kept: Vec<&str> = query.split('&').filter(|pair| parameter_of(pair).is_none()).collect();
    if kept.is_empty() { format!("{before}{fragment}") } else { format!("{before}?{}{fragment}", kept.join("&")) }
}

/// A parameter that only a template names.
fn undeclared(name: &str, location: ParameterLocation) -> Parameter {
    let is_in_query = location == ParameterLocation::Query;
    Parameter {
        written: None,
        name: Name { wire: name.to_owned(), rust: name::snake(name) },
        doc: None,
        location,
        encoding: ParameterEncoding::Style {
            style: if is_in_query { ParameterStyle::Form } else { ParameterStyle::Simple },
            explode: is_in_query,
            allow_reserved: false,
            shape: ParameterShape::Primitive,
        },
        value: Value::plain(Type::String),
        required: true,
        default: None,
        filled: false,
        deprecated: false,
        excluded_names: Vec::new(),
    }
}

/// The query of a path.
pub(crate) fn query(path: &str) -> Option<&str> {
    path.split('#').next()?.split_once('?').map(|(_, query)| query)
}
