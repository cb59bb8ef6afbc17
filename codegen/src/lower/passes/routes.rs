//! Parameters by which the server tells operations of one route apart.

use foldhash::HashMap;

use super::body_discriminators::body_discriminators;
use super::draft::Drafts;
use crate::ir::{
    Method, ModelKind, Operation, Parameter, ParameterDiscriminator, ParameterEncoding, ParameterLocation,
    ParameterShape, ParameterStyle, Rule, Type, Value,
};

/// Sets the discriminating parameters of operations that share a route.
pub(crate) fn add_discriminators(api: &mut Drafts) {
    let mut routes: HashMap<(Method, String), Vec<&Operation>> = HashMap::default();
    for operation in api.operations() {
        routes.entry(route(operation)).or_default().push(operation);
    }
    let discriminators = |operation: &Operation| match &routes[&route(operation)][..] {
        [_] => (Vec::new(), Vec::new(), Vec::new()),
        of_route => {
            let parameters = parameter_discriminators(api, operation, of_route);
            let needs = parameters.iter().any(|(_, by)| *by == ParameterDiscriminator::Required);
            let excluded = if needs { excluded_query(operation, of_route) } else { Vec::new() };
            (parameters, body_discriminators(api, operation, of_route), excluded)
        }
    };
    let discriminators: Vec<_> = api.operations().map(discriminators).collect();
    for (operation, discriminators) in api.tags.iter_mut().flat_map(|tag| &mut tag.operations).zip(discriminators) {
        (operation.parameter_discriminators, operation.body_discriminators, operation.excluded_query) = discriminators;
    }
}

/// The discriminators of one operation of a route.
fn parameter_discriminators(
    api: &Drafts,
    operation: &Operation,
    of_route: &[&Operation],
) -> Vec<(usize, ParameterDiscriminator)> {
    let others = || of_route.iter().filter(|other| !std::ptr::eq(**other, operation));
    let discriminator = |(index, parameter)| {
        let theirs = || others().filter(|other| other.may_have(parameter));
        let all = |is: &dyn Fn(&Parameter) -> bool| {
            theirs().all(|other| other.parameters.iter().any(|theirs| theirs.is_same(parameter) && is(theirs)))
        };
        let all_ask = all(&is_asked_for);
        let is_everybodys = theirs().count() == others().count();
        let by = if is_typed_in_path(api, parameter) {
            ParameterDiscriminator::Value
        } else if is_asked_for(parameter) && theirs().next().is_none() {
            ParameterDiscriminator::Presence
        } else if is_required_enum(api, parameter) {
            if all(&|theirs| is_required_enum(api, theirs)) {
                ParameterDiscriminator::Choice
            } else {
                ParameterDiscriminator::Value
            }
        } else if is_asked_for(parameter) && !(all_ask && is_everybodys) {
            if all_ask {
                ParameterDiscriminator::Presence
            } else if operation.request_body.is_none() {
                ParameterDiscriminator::Required
            } else {
                // Otherwise the wrong operation might ignore parts of the body.
                return None;
            }
        } else {
            return None;
        };
        Some((index, by))
    };
    operation.parameters.iter().enumerate().filter_map(discriminator).collect()
}

/// Whether it is a path parameter with a typed text: a number, an id or the like, or a text with a pattern.
fn is_typed_in_path(api: &Drafts, parameter: &Parameter) -> bool {
    let ParameterEncoding::Style { style, shape, .. } = parameter.encoding else { return false };
    let is_text = style == ParameterStyle::Simple && shape == ParameterShape::Primitive;
    let is_restricted = restricts_texts(api, &parameter.value.ty) || has_pattern(api, &parameter.value);
    parameter.location == ParameterLocation::Path && is_text && is_restricted
}

/// Whether the text has a pattern or a format.
fn has_pattern(api: &Drafts, value: &Value) -> bool {
    let is_pattern = |rule: &Rule| matches!(rule, Rule::Pattern(_) | Rule::Format(_));
    let of_alias = || match api.kind(&value.ty) {
        Some(ModelKind::Alias(alias)) => has_pattern(api, &alias.value),
        _ => false,
    };
    value.rules.iter().any(is_pattern) || of_alias()
}

/// Whether it is a required query parameter or header with listed values.
fn is_required_enum(api: &Drafts, parameter: &Parameter) -> bool {
    is_asked_for(parameter) && is_enum(api, &parameter.value.ty)
}

fn restricts_texts(api: &Drafts, ty: &Type) -> bool {
    match api.resolved(ty) {
        Type::String | Type::Any | Type::Binary => false,
        Type::Model(_) => is_enum(api, ty),
        _ => true,
    }
}

fn is_enum(api: &Drafts, ty: &Type) -> bool {
    matches!(api.kind(ty), Some(ModelKind::Enum(_)))
}

/// The query names that only requests for others have.
fn excluded_query(operation: &Operation, of_route: &[&Operation]) -> Vec<String> {
    let mut names = Vec::new();
    let parameters = of_route.iter().flat_map(|other| &other.parameters);
    for parameter in parameters.filter(|parameter| parameter.location == ParameterLocation::Query) {
        if !operation.may_have(parameter) && !names.contains(&parameter.name.wire) {
            names.push(parameter.name.wire.clone());
        }
    }
    names
}

/// Whether it is a required single text in the query or a header.
fn is_asked_for(parameter: &Parameter) -> bool {
    let is_text = matches!(parameter.encoding, ParameterEncoding::Style { shape: ParameterShape::Primitive, .. });
    let is_outside = matches!(parameter.location, ParameterLocation::Query | ParameterLocation::Header);
    is_text && is_outside && parameter.required && !parameter.value.nullable
}

/// The part of a request that is compared before types.
fn route(operation: &Operation) -> (Method, String) {
    (operation.method.clone(), operation.prefix() + &operation.shape())
}
