//! Operations of one route: what tells them apart on the server.

use foldhash::HashMap;

use super::Context;
use super::reference::LONGEST_CHAIN;
use crate::ir::{
    Api, Enum, EnumValues, Method, ModelKind, Operation, Parameter, ParameterEncoding, ParameterLocation,
    ParameterShape, ParameterStyle, Type,
};

impl Context<'_> {
    /// Notes for each operation that shares its route which of its parameters not every text is a value of.
    pub(crate) fn tell_routes_apart(&self, api: &mut Api) {
        let mut shared: HashMap<(Method, String), usize> = HashMap::default();
        for operation in api.operations() {
            *shared.entry(route(operation)).or_default() += 1;
        }
        for operation in api.tags.iter_mut().flat_map(|tag| &mut tag.operations) {
            if shared[&route(operation)] > 1 {
                operation.fitting = self.fitting(operation);
            }
        }
    }

    /// `Action=Count`: the parameters have to be there, with these values and no others.
    pub(crate) fn asks_for(&self, operation: &Operation, fragment: &str) -> bool {
        fragment.split('&').all(|piece| {
            let (name, value) = piece.split_once('=').map_or((piece, None), |(name, value)| (name, Some(value)));
            let mut parameters = operation.parameters.iter();
            parameters.any(|parameter| {
                let is_only = value.is_none_or(|value| self.only_value(&parameter.value.ty) == Some(value));
                parameter.name.wire == name && parameter.required && is_only
            })
        })
    }

    /// The text of an enum that has one.
    fn only_value(&self, ty: &Type) -> Option<&str> {
        let Type::Model(id) = self.behind_aliases(ty) else { return None };
        match self.models.kind(*id)? {
            ModelKind::Enum(Enum { values: EnumValues::String(values), .. }) if values.len() == 1 => {
                Some(&values[0].value)
            }
            _ => None,
        }
    }

    fn fitting(&self, operation: &Operation) -> Vec<usize> {
        let parameters = operation.parameters.iter().enumerate();
        parameters.filter(|(_, parameter)| self.is_choosy(parameter)).map(|(index, _)| index).collect()
    }

    /// A single text in the path that has to be a number, an id or the like, or one that has to be in the query or a
    /// header and one of some values.
    fn is_choosy(&self, parameter: &Parameter) -> bool {
        let ParameterEncoding::Style { style, shape: ParameterShape::Primitive, .. } = parameter.encoding else {
            return false;
        };
        let ty = &parameter.value.ty;
        match parameter.location {
            ParameterLocation::Path => style == ParameterStyle::Simple && self.is_choosy_type(ty),
            ParameterLocation::Query | ParameterLocation::Header => {
                parameter.required && !parameter.value.nullable && self.is_enum(ty)
            }
            ParameterLocation::Cookie | ParameterLocation::QueryString => false,
        }
    }

    fn is_choosy_type(&self, ty: &Type) -> bool {
        match self.behind_aliases(ty) {
            Type::String | Type::Any | Type::Binary => false,
            Type::Model(_) => self.is_enum(ty),
            _ => true,
        }
    }

    fn is_enum(&self, ty: &Type) -> bool {
        let Type::Model(id) = self.behind_aliases(ty) else { return false };
        matches!(self.models.kind(*id), Some(ModelKind::Enum(_)))
    }

    fn behind_aliases<'t>(&'t self, mut ty: &'t Type) -> &'t Type {
        for _ in 0..LONGEST_CHAIN {
            let Type::Model(id) = ty else { break };
            let Some(ModelKind::Alias(alias)) = self.models.kind(*id) else { break };
            ty = &alias.value.ty;
        }
        ty
    }
}

/// What requests are told apart by before any type is looked at.
fn route(operation: &Operation) -> (Method, String) {
    (operation.method.clone(), operation.prefix() + &operation.shape())
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{Lowered, document, paths};

    /// The names of the parameters that tell each operation from others.
    fn fitting(lowered: &Lowered) -> Vec<String> {
        let names = |operation: &crate::ir::Operation| {
            let names = operation.telling().map(|parameter| parameter.name.wire.as_str());
            names.collect::<Vec<_>>().join(" ")
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
        let fitting = fitting(&lowered);
        assert_eq!(fitting, ["id", "", "", "", ""]);
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
        let fitting = fitting(&lowered);
        assert_eq!(fitting, ["id", ""]);
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
        assert_eq!(fitting(&lowered), ["Action", "Action", "Action", ""]);
        assert_eq!(lowered.problems, ["W0206 /paths/~1#Action=c", "W0206 /paths/~1#other"]);
    }
}
