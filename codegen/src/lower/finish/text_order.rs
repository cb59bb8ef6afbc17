//! The order of the variants of unions in parameters, where a number is a text, too.

use crate::ir::{JsonType, Model, ModelKind, Tagging};

/// Puts texts behind numbers and truth values, which would never be read otherwise.
pub(super) fn sort(models: &mut [Model]) {
    for model in models.iter_mut().filter(|model| model.in_parameter) {
        let ModelKind::Union(union) = &mut model.kind else { continue };
        let Tagging::JsonType(types) = &mut union.tagging else { continue };
        let text = types.iter().position(|ty| *ty == JsonType::String);
        let last = types.iter().rposition(|ty| matches!(ty, JsonType::Boolean | JsonType::Number));
        if let (Some(text), Some(last)) = (text, last)
            && text < last
        {
            types[text..=last].rotate_left(1);
            union.variants[text..=last].rotate_left(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::document;

    #[test]
    fn texts_come_after_numbers_in_parameters_only() {
        let lowered = document(
            "
            openapi: 3.1.0
            info: { title: T, version: '1' }
            paths:
              /a:
                post:
                  parameters:
                    - { name: b, in: query, schema: { type: [string, integer, 'null', boolean] } }
                  requestBody: { content: { application/json: { schema: { type: [string, integer] } } } }
                  responses: { '204': { description: Done. } }
        ",
        );
        assert_eq!(lowered.problems, Vec::<String>::new());
        let unions = lowered.api.models.iter().filter_map(|model| match &model.kind {
            crate::ir::ModelKind::Union(union) => Some(&union.variants),
            _ => None,
        });
        let names: Vec<Vec<&str>> =
            unions.map(|variants| variants.iter().map(|variant| variant.rust.as_str()).collect()).collect();
        assert_eq!(names, [vec!["Integer", "Boolean", "String"], vec!["String", "Integer"]]);
    }
}
