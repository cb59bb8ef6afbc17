//! Which schemas allow `null`.

use std::collections::VecDeque;

use foldhash::{HashMap, HashSet};

use super::all_of::{Schema, schema_at};
use super::types::says_null;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;

/// Known results, by pointer.
pub(crate) type Nullable = HashMap<String, bool>;

/// Whether the schema at this node allows `null`, without reading it completely.
pub(crate) fn is_nullable<'a>(resolver: &mut Resolver<'a>, nullable: &mut Nullable, node: &Node<'a>) -> bool {
    let schema = schema_at(resolver, node);
    allows_null(resolver, nullable, &schema, true)
}

/// The same for a flattened schema; `is_whole` if it is the whole schema at its location.
pub(crate) fn allows_null<'a>(
    resolver: &mut Resolver<'a>,
    nullable: &mut Nullable,
    schema: &Schema<'a>,
    is_whole: bool,
) -> bool {
    if schema.only.is_some() {
        return false;
    }
    let is_alone = schema.target.is_none()
        && !schema.parts.iter().any(|part| ["oneOf", "anyOf"].iter().any(|variants| part.has(variants)));
    if is_alone {
        return says_so(schema);
    }
    // The visited schemas, each with the index of the one that led to it. Variants may refer back to their
    // union.
    let mut steps: Vec<(String, usize)> = Vec::new();
    let mut seen = HashSet::default();
    let mut next = VecDeque::from([(schema.clone(), 0)]);
    while let Some((schema, from)) = next.pop_front() {
        let is_part = steps.is_empty() && !is_whole;
        let place = schema.place.location.pointer();
        if !is_part && !seen.insert(place.to_owned()) {
            continue;
        }
        let known = nullable.get(place).copied().filter(|_| !is_part);
        let step = steps.len();
        steps.push((place.to_owned(), from));
        if known.unwrap_or_else(|| says_so(&schema)) {
            mark_nullable(nullable, &steps, is_whole);
            return true;
        }
        if known.is_none() {
            next.extend(leads_to(resolver, &schema).into_iter().map(|schema| (schema, step)));
        }
    }
    nullable.extend(steps.into_iter().skip(usize::from(!is_whole)).map(|(place, _)| (place, false)));
    false
}

/// Marks the last schema and those that led to it as nullable.
fn mark_nullable(nullable: &mut Nullable, steps: &[(String, usize)], is_whole: bool) {
    let mut step = steps.len() - 1;
    while step > 0 {
        let (place, from) = &steps[step];
        nullable.insert(place.clone(), true);
        step = *from;
    }
    if is_whole {
        nullable.insert(steps[0].0.clone(), true);
    }
}

/// The schemas that make this one nullable if they are.
fn leads_to<'a>(resolver: &mut Resolver<'a>, schema: &Schema<'a>) -> Vec<Schema<'a>> {
    if let Some(target) = &schema.target {
        // A type next to the reference excludes `null`.
        let is_typed = schema.written.iter().any(|node| node.has("type"));
        return if is_typed { Vec::new() } else { vec![schema_at(resolver, target)] };
    }
    let variants = schema.parts.iter().flat_map(|node| [node.items("oneOf"), node.items("anyOf")]).flatten();
    variants.map(|variant| schema_at(resolver, &variant)).collect()
}

/// Whether the node itself allows `null`.
fn says_so(schema: &Schema<'_>) -> bool {
    schema.written.iter().any(says_null)
        || schema.target.is_none() && !schema.parts.is_empty() && schema.parts.iter().all(says_null)
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::schemas;

    const USE: &str = "Use: { type: object, properties: { a: { $ref: '#/components/schemas/A0' } } }";

    #[test]
    fn long_chains_of_unions_are_followed_to_their_end() {
        let link = |number| {
            let next = number + 1;
            format!("A{number}: {{ oneOf: [{{ $ref: '#/components/schemas/A{next}' }}, {{ type: boolean }}] }}\n")
        };
        let chain: String = (0..2_000).map(link).collect();
        for (last, line) in [("", "Use { a?: A0 }"), (", nullable: true", "Use { a?~: A0 }")] {
            let lowered = schemas(&[&chain, &format!("A2000: {{ type: string{last} }}"), USE]);
            assert_eq!(lowered.line("Use"), line);
        }
    }

    #[test]
    fn unions_of_each_other_are_each_asked_once() {
        let variant = |number| format!("{{ $ref: '#/components/schemas/A{number}' }}, ");
        let union = |number| {
            let variants: String = (0..70).filter(|other| *other != number).map(variant).collect();
            format!("A{number}: {{ oneOf: [{variants}{{ type: string }}] }}\n")
        };
        let all: String = (0..70).map(union).collect();
        let lowered = schemas(&[&all, USE]);
        assert_eq!(lowered.line("Use"), "Use { a?: A0 }");
    }
}
