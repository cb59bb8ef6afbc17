//! Merges unnamed schemas that are equal: they become one type with all their names.

use foldhash::HashMap;

use super::draft::Draft;
use super::{cycles, usage};
use crate::ir::{Alias, ModelId, ModelKind, PerSide, Type, Value};

/// For each model the one that it equals; itself if there is no other.
pub(crate) struct Duplicates(Vec<usize>);

/// The parts that have to be equal.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    doc: Option<&'a str>,
    deprecated: bool,
    derives: &'a PerSide,
    attributes: &'a PerSide,
    kind: ModelKind,
}

impl Duplicates {
    /// Compares the models that are not `named`, innermost first, so that duplicates may contain duplicates.
    pub(crate) fn find(models: &[Draft], named: &[bool]) -> Self {
        let mut first: Vec<usize> = (0..models.len()).collect();
        let mut found = HashMap::default();
        let mentioned = usage::mentions(models);
        for index in cycles::groups(&mentioned).into_iter().flatten() {
            if !named[index] {
                first[index] = *found.entry(key(&models[index], &first)).or_insert(index);
            }
        }
        // Prefer the shortest name, the least specific one; then alphabetical order.
        let mut chosen: Vec<usize> = (0..models.len()).collect();
        let rank = |index: usize| (models[index].name.rust.len(), index);
        for (index, first) in first.iter().enumerate() {
            if rank(index) < rank(chosen[*first]) {
                chosen[*first] = index;
            }
        }
        Self(first.into_iter().map(|first| chosen[first]).collect())
    }

    /// Merges the properties of duplicates into each of `of_models`.
    pub(crate) fn share<T: Clone>(&self, of_models: &mut [T], add: impl Fn(&mut T, &T)) {
        for (index, first) in self.0.iter().enumerate() {
            if *first != index {
                let own = of_models[index].clone();
                add(&mut of_models[*first], &own);
            }
        }
        for (index, first) in self.0.iter().enumerate() {
            if *first != index {
                of_models[index] = of_models[*first].clone();
            }
        }
    }

    /// Keeps one definition of each, with aliases for the others in its file. Existing aliases stay.
    pub(crate) fn unite(&self, models: &mut [Draft]) {
        let mut ways: Vec<[bool; 4]> = models
            .iter()
            .map(|model| [model.in_request, model.in_response, model.in_webhook, model.in_parameter])
            .collect();
        self.share(&mut ways, |ways, more| ways.iter_mut().zip(more).for_each(|(way, more)| *way |= more));
        for (index, ways) in ways.into_iter().enumerate() {
            let first = self.0[index];
            let module = models[first].module.clone();
            let model = &mut models[index];
            [model.in_request, model.in_response, model.in_webhook, model.in_parameter] = ways;
            if first != index && !matches!(model.kind, ModelKind::Alias(_)) {
                model.kind = ModelKind::Alias(Alias { value: Value::plain(Type::Model(ModelId(first))) });
                model.module = module;
                model.doc = None;
            }
        }
    }
}

fn key<'a>(model: &'a Draft, first: &[usize]) -> Key<'a> {
    let mut kind = model.kind.clone();
    for value in kind.values_mut() {
        value.visit_mut(&mut |value| {
            if let Type::Model(id) = &mut value.ty {
                *id = ModelId(first[id.0]);
            }
        });
    }
    if let ModelKind::Struct(struct_) = &mut kind {
        struct_.fields.iter_mut().for_each(|field| field.location = None);
    }
    let Draft { doc, deprecated, derives, attributes, .. } = model;
    Key { doc: doc.as_deref(), deprecated: *deprecated, derives, attributes, kind }
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::{document_with, paths};
    use crate::{Features, Options};

    fn answers(schemas: &[(&str, &str)]) -> String {
        let answer = |(id, schema): &(&str, &str)| {
            format!(
                "/{id}:\n  get:\n    operationId: {id}\n    responses: {{ '200': {{ description: a, content: {{ application/json: {{ schema: {schema} }} }} }} }}\n"
            )
        };
        schemas.iter().map(answer).collect()
    }

    #[test]
    fn schemas_without_a_name_that_read_the_same_are_one_type() {
        let same = "{ type: object, properties: { at: { type: object, properties: { x: { type: integer } } } } }";
        let other = "{ type: object, properties: { at: { type: object, properties: { x: { type: string } } } } }";
        let lowered = paths(&answers(&[("first", same), ("a", same), ("third", other)]));
        assert_eq!(
            lowered.models(),
            [
                "AResponse { at?: AResponseAt }",
                "AResponseAt { x?: i64 }",
                "FirstResponse = AResponse",
                "FirstResponseAt = AResponseAt",
                "ThirdResponse { at?: ThirdResponseAt }",
                "ThirdResponseAt { x?: String }",
            ]
        );
        let modules: Vec<_> = lowered.api.models.iter().map(|model| model.module.as_str()).collect();
        let expected =
            ["a_response", "a_response_at", "a_response", "a_response_at", "third_response", "third_response_at"];
        assert_eq!(modules, expected);
    }

    #[test]
    fn one_type_is_used_as_all_of_its_duplicates_are() {
        let schema = "{ type: object, properties: { a: { type: string, readOnly: true } } }";
        let content = format!("content: {{ application/json: {{ schema: {schema} }} }}");
        let yaml = format!(
            "
openapi: 3.0.3
info: {{ title: T, version: '1' }}
paths:
  /a: {{ get: {{ operationId: a, tags: [one], responses: {{ '200': {{ description: a, {content} }} }} }} }}
  /b: {{ post: {{ operationId: b, tags: [two], requestBody: {{ {content} }}, responses: {{ '204': {{ description: b }} }} }} }}
  /c: {{ get: {{ operationId: c, tags: [three], responses: {{ '204': {{ description: b }} }} }} }}
"
        );
        let options = Options { features: Features { per_tag: true }, ..Options::default() };
        let lowered = document_with(&yaml, &options);
        assert_eq!(lowered.models(), ["AResponse = BBody", "BBody { a?: String read }"]);
        for model in &lowered.api.models {
            assert!(model.in_request && model.in_response);
            assert_eq!(model.features, ["one", "two"]);
        }
    }
}
