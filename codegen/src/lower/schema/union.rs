//! `oneOf`, `anyOf`: the variants. A later pass decides how to tell them apart.

pub(crate) mod discriminator;
mod one_type;
mod variant_name;

use super::all_of::{Schema, resolved_schema, schema_at};
use super::enum_::{listed_values, lists_nothing};
use super::json_schema::only_constrains;
use super::reader::Reader;
use super::types::{INTEGER, NUMBER};
use super::{Shape, condition, shape_of, value_at, value_of};
use crate::diagnostic::Code;
use crate::ir::{self, Tagging, TextForm, Type, Union, UnionForm, Value, Variant};
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::overrides::name::{requested_variant_name, unique_names};
use crate::lower::reference::Resolver;
use discriminator::read_discriminator;
use one_type::{as_one_type, enum_of_untyped};
use variant_name::variant_names;

/// Maximum number of combined variants; beyond it, any value is allowed.
const MOST_COMBINATIONS: usize = 1000;

/// A list of variants.
pub(crate) struct Group<'a> {
    /// The node with `oneOf` or `anyOf`.
    node: Node<'a>,
    keyword: &'static str,
    variants: Vec<Node<'a>>,
}

/// The union, if the schema has variants.
pub(crate) fn union_of<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Option<Shape<'a>> {
    let group = variant_list(schema)?;
    let mut variants = distinct(&group);
    let mut rest = schema.clone();
    rest.taken.push(format!("{} {}", group.node.location.pointer(), group.keyword));
    let base = rest.says_more();
    if base {
        // Sibling keywords may exclude some variants.
        let mut possible = variants.clone();
        possible.retain(|variant| {
            let merged = merged_with_variant(&mut reader.resolver, &rest, variant);
            !merged.contradicts_itself() && !lists_nothing(&merged)
        });
        if !possible.is_empty() {
            variants = possible;
        }
    }
    match &variants[..] {
        [] => return Some(Shape::Plain(Value::plain(Type::Any))),
        [only] if !base => {
            let mut schema = schema_at(&mut reader.resolver, only);
            if schema.target.is_some() {
                return Some(Shape::Plain(Value { nullable: false, ..value_at(reader, only, hint) }));
            }
            // An `allOf` in the variant may refer back to this list.
            schema.taken.extend(rest.taken);
            return Some(shape_of(reader, &schema, hint));
        }
        [only] => {
            let merged = merged_with_variant(&mut reader.resolver, &rest, only);
            return Some(shape_of(reader, &merged, hint));
        }
        _ => {}
    }
    let simpler = if !base {
        as_one_type(&mut reader.resolver, &mut reader.overrides, &variants)
    } else if rest.says_more_than(&["format", "enum", "const"]) {
        None
    } else {
        // An empty list is ignored.
        let allowed = listed_values(&rest).filter(|values| !values.is_empty());
        enum_of_untyped(&mut reader.resolver, &mut reader.overrides, &variants, allowed.as_deref())
    };
    if simpler.is_some() {
        return simpler;
    }
    let mut shape = if base {
        combined_union(reader, schema, &rest, &variants, hint)
    } else {
        build_union(reader, schema, &rest, &variants, base, hint)
    };
    if let Shape::Union(union, _) = &mut shape {
        union.any_of = group.keyword == "anyOf";
    }
    Some(shape)
}

/// The variants, each merged with its siblings. If these include another list of variants, the result has
/// every combination, up to a maximum.
fn combined_union<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    siblings: &Schema<'a>,
    variants: &[Node<'a>],
    hint: &str,
) -> Shape<'a> {
    let before = reader.unfolding.combinations;
    // A single list is not a combination, whatever its length.
    let count = before.map_or(0, |before| before + variants.len());
    reader.unfolding.combinations = Some(count);
    let shape = (count <= MOST_COMBINATIONS).then(|| build_union(reader, schema, siblings, variants, true, hint));
    if before.is_some() {
        return shape.unwrap_or_else(|| Shape::Plain(Value::plain(Type::Any)));
    }
    let count = reader.unfolding.combinations.take().unwrap_or_default();
    shape.filter(|_| count <= MOST_COMBINATIONS).unwrap_or_else(|| {
        let message = format!("these variants have more than {MOST_COMBINATIONS} combinations");
        reader.report(Code::UncheckedConstraint, &schema.place.location, message).label("any value is accepted for it");
        Shape::Plain(Value::plain(Type::Any))
    })
}

/// `type: [string, integer]`
pub(crate) fn type_union<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    types: &[&'static str],
    hint: &str,
) -> Shape<'a> {
    let types: Vec<_> = types.iter().copied().filter(|ty| !(*ty == INTEGER && types.contains(&NUMBER))).collect();
    if let [only] = types[..] {
        let one = Schema { only: Some(only), ..schema.clone() };
        return shape_of(reader, &one, hint);
    }
    let variants = types
        .iter()
        .map(|&ty| {
            let one = Schema { only: Some(ty), ..schema.clone() };
            let name = name::pascal(ty);
            let value = value_of(reader, &one, &format!("{hint}{name}"), false);
            Variant { rust: name, doc: None, value, exact: false, form: TextForm::default() }
        })
        .collect();
    Shape::Union(Union { variants, tagging: Tagging::Ordered, any_of: false, form: UnionForm::default() }, None)
}

/// The first unhandled list of variants. Lists that only contain conditions on members are skipped: `anyOf:
/// [{ required: [a] }, { required: [b] }]`.
fn variant_list<'a>(schema: &Schema<'a>) -> Option<Group<'a>> {
    for node in &schema.parts {
        for keyword in ["oneOf", "anyOf"] {
            let variants = node.items(keyword);
            if variants.is_empty() || schema.is_taken(node, keyword) {
                continue;
            }
            if condition::conditions_of(node, keyword).is_some() || only_constrains(node, keyword) {
                continue;
            }
            return Some(Group { node: node.clone(), keyword, variants });
        }
    }
    None
}

fn build_union<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    siblings: &Schema<'a>,
    nodes: &[Node<'a>],
    base: bool,
    hint: &str,
) -> Shape<'a> {
    let mut names = Vec::new();
    let mut targets = Vec::new();
    let mut variants = Vec::new();
    let schemas: Vec<_> = nodes.iter().map(|node| schema_at(&mut reader.resolver, node)).collect();
    let words = variant_names(&mut reader.resolver, &mut reader.overrides, &schemas, hint);
    for ((node, own), rust) in nodes.iter().zip(schemas).zip(words) {
        let value = if base && !contains_its_base(&mut reader.resolver, node, siblings) {
            let merged = merged_with_variant(&mut reader.resolver, siblings, node);
            value_of(reader, &merged, &format!("{hint}{rust}"), false)
        } else {
            value_at(reader, node, &format!("{hint}{rust}"))
        };
        let doc = if own.target.is_some() { None } else { own.text("description").map(str::to_owned) };
        targets.push(own.target.map(|target| target.location.pointer().to_owned()));
        names.push(rust);
        let value = Value { nullable: false, ..value };
        variants.push((doc, value));
    }
    // The client adds a variant for unknown values.
    let mut scope = name::Scope::reserving(&[ir::unknown(names.iter().map(String::as_str))]);
    let requested: Vec<_> =
        nodes.iter().map(|node| requested_variant_name(&mut reader.resolver, &mut reader.overrides, node)).collect();
    let names = unique_names(&mut reader.resolver.reporter, &names, &requested, &mut scope);
    let variant = |((doc, value), rust)| Variant { rust, doc, value, exact: false, form: TextForm::default() };
    let variants = variants.into_iter().zip(names).map(variant).collect();
    let discriminator = schema
        .keyword("discriminator")
        .and_then(|node| read_discriminator(&mut reader.resolver, &node, &targets, true));
    Shape::Union(
        Union { variants, tagging: Tagging::Ordered, any_of: false, form: UnionForm::default() },
        discriminator,
    )
}

/// Whether the variant contains the schema that lists it, so that siblings add nothing.
fn contains_its_base<'a>(resolver: &mut Resolver<'a>, variant: &Node<'a>, siblings: &Schema<'a>) -> bool {
    let derived = resolved_schema(resolver, variant);
    let contains = |part: &Node<'_>| derived.parts.iter().any(|own| own.location == part.location);
    siblings.taken.iter().all(|list| derived.taken.contains(list)) && siblings.parts.iter().all(contains)
}

/// Merges the siblings with one variant.
fn merged_with_variant<'a>(resolver: &mut Resolver<'a>, rest: &Schema<'a>, variant: &Node<'a>) -> Schema<'a> {
    let mut merged = resolved_schema(resolver, variant);
    merged.parts.splice(0..0, rest.parts.iter().cloned());
    merged.place = variant.clone();
    merged.written = vec![variant.clone()];
    merged.taken.extend(rest.taken.iter().cloned());
    merged
}

/// Whether a title is short enough for a name.
fn is_name(title: &str) -> bool {
    title.len() <= 40 && !title.trim().is_empty()
}

/// The variants without `null` and duplicates, with those of an inner `oneOf` in its place.
fn distinct<'a>(group: &Group<'a>) -> Vec<Node<'a>> {
    let mut list: Vec<Node<'a>> = Vec::new();
    let mut queue: Vec<_> = group.variants.iter().rev().cloned().collect();
    while let Some(node) = queue.pop() {
        if says_only_null(&node) || is_meant_as_null(&node) || list.iter().any(|other| other.value == node.value) {
            continue;
        }
        let inner = ["oneOf", "anyOf"].into_iter().find(|keyword| {
            node.object().is_some_and(|object| {
                object.contains_key(*keyword)
                    && object
                        .keys()
                        .all(|key| matches!(key.as_str(), "title" | "description" | "nullable") || key == keyword)
            })
        });
        match inner {
            Some(keyword) => queue.extend(node.items(keyword).into_iter().rev()),
            None => list.push(node),
        }
    }
    list
}

/// `{ nullable: true }` allows anything, but as a variant it means `null`.
fn is_meant_as_null(node: &Node<'_>) -> bool {
    let says_nothing_else = |object: &serde_json::Map<String, serde_json::Value>| {
        object.keys().all(|key| matches!(key.as_str(), "nullable" | "title" | "description"))
    };
    node.flag("nullable") && node.object().is_some_and(says_nothing_else)
}

/// Whether `null` is the only valid value.
pub(crate) fn says_only_null(node: &Node<'_>) -> bool {
    let typed = node.get("type").is_some_and(|ty| {
        ty.value.as_str() == Some("null")
            || ty.value.as_array().is_some_and(|types| types.iter().all(|ty| ty.as_str() == Some("null")))
    });
    let constant = node.get("const").is_some_and(|constant| constant.value.is_null());
    let values = node.items("enum");
    typed || constant || (!values.is_empty() && values.iter().all(|value| value.value.is_null()))
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::schemas;

    #[test]
    fn too_many_choices_at_once_are_no_type() {
        let lists = |counts: &[usize]| {
            let variant = |list, index| {
                format!(
                    "{{ type: object, required: [k{list}x{index}], properties: {{ k{list}x{index}: {{ type: string }} }} }}"
                )
            };
            let lists = counts.iter().enumerate().map(|(list, count)| {
                let variants: Vec<_> = (0..*count).map(|index| variant(list, index)).collect();
                format!("{{ oneOf: [{}] }}", variants.join(", "))
            });
            let lists: Vec<_> = lists.collect();
            schemas(&[
                &format!("U: {{ allOf: [{}] }}", lists.join(", ")),
                "V: { properties: { u: { $ref: '#/components/schemas/U' } } }",
            ])
        };
        // The first list alone is not a combination; each of its variants combines with the second list.
        let few = lists(&[32, 31]);
        assert_eq!((few.line("U").matches(" | ").count(), few.problems.len()), (31, 0));
        let many = lists(&[16, 16, 16]);
        assert_eq!(
            (many.line("U"), many.problems),
            ("U = Any".to_owned(), vec!["W0402 /components/schemas/U".to_owned()])
        );
    }
}
