//! Operations of one route: what tells them apart on the server.

use std::collections::HashMap;

use super::Context;
use crate::ir::{
    Api, Method, ModelKind, Operation, Parameter, ParameterEncoding, ParameterLocation, ParameterShape, ParameterStyle,
    Type,
};

impl Context<'_> {
    /// Notes for each operation that shares its route which of its parameters not every text is a value of.
    pub(crate) fn tell_routes_apart(&self, api: &mut Api) {
        let mut shared: HashMap<(Method, String), usize> = HashMap::new();
        for operation in api.operations() {
            *shared.entry((operation.method, operation.shape())).or_default() += 1;
        }
        for operation in api.tags.iter_mut().flat_map(|tag| &mut tag.operations) {
            if shared[&(operation.method, operation.shape())] > 1 {
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
        let choosy = match &parameter.value.ty {
            Type::String | Type::Any | Type::Binary => false,
            Type::Model(id) => matches!(self.models.kind(*id), Some(ModelKind::Enum(_))),
            _ => true,
        };
        parameter.location == ParameterLocation::Path && is_text && choosy
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::paths;

    #[test]
    fn types_tell_operations_of_one_route_apart() {
        let lowered = paths(
            "
            /notes/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '204': { description: a } } } }
            /notes/{name}: { get: { parameters: [{ name: name, in: path, required: true, schema: { type: string } }], responses: { '204': { description: a } } } }
            /other/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '204': { description: a } } } }
        ",
        );
        let fitting: Vec<_> = lowered.api.operations().map(|operation| operation.fitting.join(" ")).collect();
        assert_eq!(fitting, ["id", "", ""]);
    }
}
