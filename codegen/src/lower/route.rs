//! Operations of one route: what tells them apart on the server.

use std::collections::HashMap;

use super::Context;
use super::reference::LONGEST_CHAIN;
use crate::ir::{
    Api, Method, ModelKind, Operation, Parameter, ParameterEncoding, ParameterLocation, ParameterShape, ParameterStyle,
    Type,
};

impl Context<'_> {
    /// Notes for each operation that shares its route which of its parameters not every text is a value of.
    pub(crate) fn tell_routes_apart(&self, api: &mut Api) {
        let mut shared: HashMap<(Method, String), usize> = HashMap::new();
        for operation in api.operations() {
            *shared.entry(route(operation)).or_default() += 1;
        }
        for operation in api.tags.iter_mut().flat_map(|tag| &mut tag.operations) {
            if shared[&route(operation)] > 1 {
                operation.fitting = self.fitting(operation);
            }
        }
    }

    fn fitting(&self, operation: &Operation) -> Vec<String> {
        let parameters = operation.parameters.iter().filter(|parameter| self.is_choosy(parameter));
        parameters.map(|parameter| parameter.name.wire.clone()).collect()
    }

    /// A single text in the path that has to be a number, an id or the like.
    fn is_choosy(&self, parameter: &Parameter) -> bool {
        let is_text = matches!(
            parameter.encoding,
            ParameterEncoding::Style { style: ParameterStyle::Simple, shape: ParameterShape::Primitive, .. }
        );
        parameter.location == ParameterLocation::Path && is_text && self.is_choosy_type(&parameter.value.ty)
    }

    fn is_choosy_type(&self, ty: &Type) -> bool {
        let mut ty = ty;
        for _ in 0..LONGEST_CHAIN {
            match ty {
                Type::String | Type::Any | Type::Binary => return false,
                Type::Model(id) => match self.models.kind(*id) {
                    Some(ModelKind::Alias(alias)) => ty = &alias.value.ty,
                    Some(ModelKind::Enum(_)) => return true,
                    Some(ModelKind::Struct(_) | ModelKind::Union(_)) | None => return false,
                },
                _ => return true,
            }
        }
        false
    }
}

/// What requests are told apart by before any type is looked at.
fn route(operation: &Operation) -> (Method, String) {
    (operation.method.clone(), operation.prefix() + &operation.shape())
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{document, paths};

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
        let fitting: Vec<_> = lowered.api.operations().map(|operation| operation.fitting.join(" ")).collect();
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
        let fitting: Vec<_> = lowered.api.operations().map(|operation| operation.fitting.join(" ")).collect();
        assert_eq!(fitting, ["id", ""]);
    }
}
