//! Operations of one route: by which parameters the server distinguishes them.

use foldhash::HashMap;

use super::body_discriminators::body_discriminators;
use crate::ir::{
    Api, Method, ModelKind, Operation, Parameter, ParameterDiscriminator, ParameterEncoding, ParameterLocation,
    ParameterShape, ParameterStyle, Type,
};

/// Notes for each operation that shares its route which of its parameters requests for the others do not have.
pub(crate) fn add_discriminators(api: &mut Api) {
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

/// The texts of an enum.
pub(crate) fn listed_texts(api: &Api, ty: &Type) -> Option<Vec<String>> {
    let Type::Model(id) = api.resolved(ty) else { return None };
    match &api.model(*id).kind {
        ModelKind::Enum(enum_) => enum_.texts(),
        _ => None,
    }
}

/// Of one of the operations of a route.
fn parameter_discriminators(
    api: &Api,
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
                // What its body lacks might be lost.
                return None;
            }
        } else {
            return None;
        };
        Some((index, by))
    };
    operation.parameters.iter().enumerate().filter_map(discriminator).collect()
}

/// A single text in the path that has to be a number, an id or the like.
fn is_typed_in_path(api: &Api, parameter: &Parameter) -> bool {
    let ParameterEncoding::Style { style, shape, .. } = parameter.encoding else { return false };
    let is_text = style == ParameterStyle::Simple && shape == ParameterShape::Primitive;
    parameter.location == ParameterLocation::Path && is_text && restricts_texts(api, &parameter.value.ty)
}

/// One that has to be in the query or a header, and one of some values.
fn is_required_enum(api: &Api, parameter: &Parameter) -> bool {
    is_asked_for(parameter) && is_enum(api, &parameter.value.ty)
}

fn restricts_texts(api: &Api, ty: &Type) -> bool {
    match api.resolved(ty) {
        Type::String | Type::Any | Type::Binary => false,
        Type::Model(_) => is_enum(api, ty),
        _ => true,
    }
}

fn is_enum(api: &Api, ty: &Type) -> bool {
    let Type::Model(id) = api.resolved(ty) else { return false };
    matches!(api.model(*id).kind, ModelKind::Enum(_))
}

/// What only requests for others have in the query.
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

/// A single text that has to be in the query or a header.
fn is_asked_for(parameter: &Parameter) -> bool {
    let is_text = matches!(parameter.encoding, ParameterEncoding::Style { shape: ParameterShape::Primitive, .. });
    let is_outside = matches!(parameter.location, ParameterLocation::Query | ParameterLocation::Header);
    is_text && is_outside && parameter.required && !parameter.value.nullable
}

/// What requests are told apart by before any type is looked at.
fn route(operation: &Operation) -> (Method, String) {
    (operation.method.clone(), operation.prefix() + &operation.shape())
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{Lowered, document, paths};

    /// The names of the parameters that tell each operation from others.
    fn discriminators(lowered: &Lowered) -> Vec<String> {
        let names = |operation: &crate::ir::Operation| {
            let names = operation
                .parameter_discriminators()
                .map(|(parameter, by)| format!("{} by {by:?}", parameter.name.wire));
            names.collect::<Vec<_>>().join(", ")
        };
        lowered.api.operations().map(names).collect()
    }

    #[test]
    fn types_tell_operations_of_one_route_apart() {
        let lowered = paths(
            "
            /notes/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '204': { description: a } } } }
            /notes/{name}: { get: { parameters: [{ name: name, in: path, required: true, schema: { type: string } }], responses: { '204': { description: a } } } }
            /there/{id}: { get: { servers: [{ url: /v1 }], parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '204': { description: a } } } }
            /there/{name}: { get: { servers: [{ url: /v2 }], parameters: [{ name: name, in: path, required: true, schema: { type: string } }], responses: { '204': { description: a } } } }
            /other/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '204': { description: a } } } }
        ",
        );
        let found = discriminators(&lowered);
        assert_eq!(found, ["id by Value", "", "", "", ""]);
    }

    #[test]
    fn types_with_a_name_tell_operations_apart_too() {
        let lowered = document(
            "
            openapi: 3.0.3
            info: { title: T, version: '1' }
            paths:
              /notes/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Same' } }], responses: { '204': { description: a } } } }
              /notes/{name}: { get: { parameters: [{ name: name, in: path, required: true, schema: { $ref: '#/components/schemas/Name' } }], responses: { '204': { description: a } } } }
            components:
              schemas:
                Same: { $ref: '#/components/schemas/Id' }
                Id: { type: string, format: uuid }
                Name: { type: string }
        ",
        );
        let found = discriminators(&lowered);
        assert_eq!(found, ["id by Value", ""]);
    }

    #[test]
    fn required_values_tell_operations_apart() {
        let action = |name: &str, place: &str| {
            format!("{{ name: Action, in: {place}, required: true, schema: {{ type: string, enum: [{name}] }} }}")
        };
        let get = |id: &str, parameter: &str| {
            format!(
                "{{ get: {{ operationId: {id}, parameters: [{parameter}], responses: {{ '204': {{ description: a }} }} }} }}"
            )
        };
        let lowered = paths(&format!(
            "
            /#Action=a: {}
            /#Action=b: {}
            /#Action=c: {}
            /#other: {}
        ",
            get("a", &action("a", "query")),
            get("b", &action("b", "query")),
            get("c", &action("d", "query")),
            get("e", "{ name: limit, in: query, required: true, schema: { type: integer } }"),
        ));
        assert_eq!(
            discriminators(&lowered),
            ["Action by Choice", "Action by Choice", "Action by Choice", "limit by Presence"]
        );
        assert_eq!(lowered.problems, ["W0206 /paths/~1#Action=c", "W0206 /paths/~1#other"]);
    }

    #[test]
    fn what_only_some_ask_for_tells_operations_apart() {
        let get = |path: &str, parameters: &[&str]| {
            let parameters = parameters.join(", ");
            format!(
                "{path}: {{ get: {{ parameters: [{parameters}], responses: {{ '204': {{ description: a }} }} }} }}\n"
            )
        };
        let required =
            |name: &str| format!("{{ name: {name}, in: query, required: true, schema: {{ type: string }} }}");
        let (acl, tag, page) = (required("acl"), required("tag"), required("page"));
        let optional = "{ name: page, in: query, schema: { type: string } }";
        let found = |operations: &[String]| discriminators(&paths(&operations.concat()));
        let lowered = found(&[get("/a", &[]), get("/a#acl", &[&acl]), get("/a#acl&tag", &[&acl, &tag])]);
        assert_eq!(lowered, ["", "acl by Presence", "acl by Presence, tag by Presence"]);
        assert_eq!(found(&[get("/a", &[optional]), get("/a#page", &[&page])]), ["", "page by Required"]);
        let pages = [get("/a", &[]), get("/a#all", &[optional]), get("/a#page", &[&page])];
        assert_eq!(found(&pages), ["", "", "page by Required"], "a request with a page may be for all");
        let choice = |name: &str| {
            format!("{{ name: do, in: query, required: true, schema: {{ type: string, enum: [{name}] }} }}")
        };
        let (a, b) = (choice("a"), choice("b"));
        let any = "{ name: do, in: query, schema: { type: string } }";
        let chosen = [get("/a", &[]), get("/a#do=a", &[&a]), get("/a#do=b", &[&b])];
        assert_eq!(found(&chosen), ["", "do by Choice", "do by Choice"]);
        assert_eq!(found(&chosen[..2]), ["", "do by Presence"]);
        assert_eq!(found(&[get("/a", &[any]), get("/a#do=a", &[&a])]), ["", "do by Value"]);
        let members = "{ name: all, in: query, schema: { type: object, additionalProperties: { type: string } } }";
        assert_eq!(found(&[get("/a", &[members]), get("/a#page", &[&page])]), ["", "page by Required"]);
    }
}
