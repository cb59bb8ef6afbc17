//! Cargo features: which tags have one, and which ones a model needs.

use std::collections::BTreeSet;

use super::dedup::Duplicates;
use super::draft::Drafts;
use super::usage;
use crate::diagnostic::Code;
use crate::ir::Tag;
use crate::location::Location;
use crate::lower::name;
use crate::lower::reporter::Reporter;

/// crates.io allows 300 features per crate, including [`OTHERS`].
const MOST_TAGS: usize = 300 - OTHERS.len();

/// A model used by more features than these is always compiled: few builds would exclude it, and a long list
/// of features is unreadable.
const MOST_FEATURES: usize = 8;

/// All tags; also enables models that no operation mentions.
const DEFAULT: &str = "default";

/// All webhooks and callbacks.
const WEBHOOKS: &str = "webhooks";

/// Features that are not tags.
const OTHERS: [&str; 8] =
    [DEFAULT, WEBHOOKS, "arbitrary", "blocking", "check-responses", "serde", "signatures", "tracing"];

/// Gives every tag a feature, and each model the features of tags that reach it or its duplicates. A single
/// tag needs no feature.
pub(crate) fn assign(reporter: &mut Reporter<'_>, api: &mut Drafts, root: &Location, duplicates: &Duplicates) {
    let tags = api.tags.len();
    if tags < 2 {
        return;
    }
    if tags > MOST_TAGS {
        reporter
            .report(
                Code::TooManyTags,
                root,
                format!("there are {tags} tags, so none is a cargo feature: crates.io takes 300 of them"),
            )
            .help("choose the tags that are needed with `include` in the configuration");
        return;
    }
    name_tags(&mut api.tags);

    let mut features = vec![BTreeSet::new(); api.models.len()];
    let mentions = usage::mentions(&api.models);
    let groups = api.tags.iter().map(|tag| (tag.feature.as_deref().unwrap_or_default(), &tag.operations));
    for (feature, operations) in groups.chain(api.webhooks.iter().map(|tag| (WEBHOOKS, &tag.operations))) {
        add(&mut features, feature, &usage::reached_by(operations, &mentions));
    }
    let unreached = (0..features.len()).filter(|index| features[*index].is_empty()).collect();
    add(&mut features, DEFAULT, &usage::reached(&mentions, unreached));
    duplicates.share(&mut features, |features, more| features.extend(more));

    let all: BTreeSet<&str> = api.tags.iter().filter_map(|tag| tag.feature.as_deref()).collect();
    let features: Vec<Vec<String>> = features.into_iter().map(|features| settle(features, &all)).collect();
    for (model, features) in api.models.iter_mut().zip(features) {
        model.features = features;
    }
}

/// Names a feature like the module of its tag, with dashes.
fn name_tags(tags: &mut [Tag]) {
    let mut names = name::Scope::reserving(&OTHERS);
    for tag in tags {
        let wanted = tag.module.trim_end_matches('_').replace('_', "-");
        tag.feature = Some(names.claim(&wanted, &[format!("{wanted}-api")]));
    }
}

fn add<'api>(features: &mut [BTreeSet<&'api str>], feature: &'api str, reached: &[bool]) {
    for (features, _) in features.iter_mut().zip(reached).filter(|(_, reached)| **reached) {
        features.insert(feature);
    }
}

/// The features of a model; empty for one that is always compiled.
fn settle(mut features: BTreeSet<&str>, tags: &BTreeSet<&str>) -> Vec<String> {
    // `default` includes all tags.
    if !features.is_disjoint(tags) {
        features.remove(DEFAULT);
    }
    if features.is_superset(tags) || features.len() > MOST_FEATURES {
        return Vec::new();
    }
    features.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::{Lowered, document_with};
    use crate::{Features, Options};

    fn per_tag(yaml: &str) -> Lowered {
        let options = Options { features: Features { per_tag: true }, ..Options::default() };
        document_with(yaml, &options)
    }

    const SHARED: &str = "
openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { tags: [First tag], operationId: a, responses: { '200': { description: a, content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } } }
  /b: { get: { tags: [serde], operationId: b, responses: { '200': { description: a, content: { application/json: { schema: { $ref: '#/components/schemas/B' } } } } } } }
  /c: { get: { operationId: c, responses: { '200': { description: a, content: { application/json: { schema: { $ref: '#/components/schemas/C' } } } } } } }
webhooks:
  w: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/W' } } } }, responses: { '204': { description: a } } } }
components:
  schemas:
    A: { type: object, properties: { two: { $ref: '#/components/schemas/Two' }, all: { $ref: '#/components/schemas/All' } } }
    B: { type: object, properties: { two: { $ref: '#/components/schemas/Two' }, all: { $ref: '#/components/schemas/All' } } }
    C: { type: object, properties: { all: { $ref: '#/components/schemas/All' } } }
    W: { type: object, properties: { both: { $ref: '#/components/schemas/Both' } } }
    Two: { type: object, properties: { a: { type: string } } }
    All: { type: object, properties: { a: { type: string } } }
    Both: { type: object, properties: { a: { type: string } } }
    Unreached: { type: object, properties: { both: { $ref: '#/components/schemas/Both' }, two: { $ref: '#/components/schemas/Two' } } }
";

    #[test]
    fn models_come_with_the_tags_that_reach_them() {
        let lowered = per_tag(SHARED);
        let tags: Vec<_> = lowered.api.tags.iter().filter_map(|tag| tag.feature.as_deref()).collect();
        assert_eq!(tags, ["first-tag", "serde-api", "default-api"]);
        let models: Vec<_> =
            lowered.api.models.iter().map(|model| (model.name.rust.as_str(), model.features.join(" "))).collect();
        let models: Vec<_> = models.iter().map(|(name, features)| (*name, features.as_str())).collect();
        assert_eq!(
            models,
            [
                ("A", "first-tag"),
                ("All", ""),
                ("B", "serde-api"),
                ("Both", "default webhooks"),
                ("C", "default-api"),
                ("Two", "first-tag serde-api"),
                ("Unreached", "default"),
                ("W", "webhooks"),
            ]
        );
    }

    #[test]
    fn what_many_features_ask_for_is_always_compiled() {
        let of = |tags: usize| {
            let path = |tag: usize| {
                let schema = if tag < tags { "{ $ref: '#/components/schemas/A' }" } else { "{ type: string }" };
                format!(
                    "  /{tag}: {{ get: {{ tags: [t{tag}], responses: {{ '200': {{ description: a, content: {{ application/json: {{ schema: {schema} }} }} }} }} }} }}\n"
                )
            };
            let paths: String = (0..20).map(path).collect();
            let schemas = "components: { schemas: { A: { type: object, properties: { a: { type: string } } } } }";
            per_tag(&format!("openapi: 3.1.0\ninfo: {{ title: T, version: '1' }}\npaths:\n{paths}{schemas}\n")).api
        };
        assert_eq!(of(8).models[0].features.len(), 8);
        assert_eq!(of(9).models[0].features.len(), 0);
    }

    #[test]
    fn nobody_is_given_more_features_than_crates_io_takes() {
        let of = |tags: usize| {
            let path = |tag: usize| {
                format!("  /{tag}: {{ get: {{ tags: [t{tag}], responses: {{ '204': {{ description: a }} }} }} }}\n")
            };
            let paths: String = (0..tags).map(path).collect();
            per_tag(&format!("openapi: 3.1.0\ninfo: {{ title: T, version: '1' }}\npaths:\n{paths}"))
        };
        for (tags, expected) in [(1, 0), (292, 292), (293, 0)] {
            let lowered = of(tags);
            let named = lowered.api.tags.iter().filter(|tag| tag.feature.is_some()).count();
            assert_eq!(named, expected, "{tags}");
            assert_eq!(lowered.problems.iter().any(|problem| problem.starts_with("W0504")), tags > 292, "{tags}");
        }
    }
}
