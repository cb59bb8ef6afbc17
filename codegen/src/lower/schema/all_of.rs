//! `allOf`, flattened: a schema is the list of all nodes that must hold.

use foldhash::HashSet;

use super::condition;
use super::inheritance::pointer;
use crate::diagnostic::Code;
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::reference::{LONGEST_CHAIN, Resolver, follow_once};
use crate::upgrade::Version;

/// A schema with `allOf` and references flattened.
#[derive(Clone, Debug)]
pub(crate) struct Schema<'a> {
    /// Its location.
    pub(crate) place: Node<'a>,
    /// The nodes at that location, the outer one first; annotations such as descriptions and defaults come
    /// from them.
    pub(crate) written: Vec<Node<'a>>,
    /// Set if it is equivalent to this other schema.
    pub(crate) target: Option<Node<'a>>,
    /// Otherwise all of these must hold.
    pub(crate) parts: Vec<Node<'a>>,
    /// Restricts several types to one: a variant of `type: [string, integer]`.
    pub(crate) only: Option<&'static str>,
    /// The lists of variants already handled, by pointer and keyword.
    pub(crate) taken: Vec<String>,
}

/// One part of an `allOf`.
pub(crate) enum Item<'a> {
    /// A node of the schema itself.
    Own(Node<'a>),
    /// The target of a `$ref`.
    Reference(Node<'a>),
}

impl<'a> Item<'a> {
    /// The node, if it is part of the schema itself.
    pub(crate) fn own(&self) -> Option<&Node<'a>> {
        match self {
            Self::Own(node) => Some(node),
            Self::Reference(_) => None,
        }
    }

    /// The contained schema, if it is a reference.
    pub(crate) fn reference(&self) -> Option<&Node<'a>> {
        match self {
            Self::Own(_) => None,
            Self::Reference(node) => Some(node),
        }
    }
}

impl<'a> Schema<'a> {
    /// The first annotation with this name, outer ones first.
    pub(crate) fn annotation(&self, name: &str) -> Option<Node<'a>> {
        self.written.iter().find_map(|node| node.get(name))
    }

    /// The text of an annotation.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.written.iter().find_map(|node| node.text(name))
    }

    /// Whether the annotation is `true` at one of the nodes.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.written.iter().any(|node| node.flag(name))
    }

    /// The first value of a keyword.
    pub(crate) fn keyword(&self, name: &str) -> Option<Node<'a>> {
        self.parts.iter().find_map(|node| node.get(name))
    }

    /// Whether these variants have been handled.
    pub(crate) fn is_taken(&self, node: &Node<'_>, keyword: &str) -> bool {
        self.taken.iter().any(|taken| {
            taken.strip_suffix(keyword).and_then(|taken| taken.strip_suffix(' ')) == Some(node.location.pointer())
        })
    }

    /// Whether something other than handled variants shapes the value.
    pub(crate) fn says_more(&self) -> bool {
        self.says_more_than(&[])
    }

    /// The same, ignoring these keywords.
    pub(crate) fn says_more_than(&self, keywords: &[&str]) -> bool {
        self.parts.iter().any(|node| {
            node.object().is_some_and(|object| {
                object.keys().any(|name| match name.as_str() {
                    name if keywords.contains(&name) => false,
                    "oneOf" | "anyOf" => !self.is_taken(node, name),
                    "type" | "discriminator" => false,
                    name => restricts(name),
                })
            })
        })
    }
}

/// Reads the schema at this node.
pub(crate) fn schema_at<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> Schema<'a> {
    conjunction(resolver, node, std::slice::from_ref(node))
}

/// The same, also resolving a reference that stands alone.
pub(crate) fn resolved_schema<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> Schema<'a> {
    let mut schema = schema_at(resolver, node);
    for _ in 0..LONGEST_CHAIN {
        let Some(target) = schema.target.clone() else { break };
        schema = schema_at(resolver, &target);
    }
    schema
}

/// The same, flattening contained schemas even if there is nothing else.
pub(crate) fn expanded<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> Schema<'a> {
    let mut schema = schema_at(resolver, node);
    if let Some(target) = schema.target.take() {
        let mut seen = HashSet::from_iter([node.location.pointer().to_owned()]);
        expand_item(resolver, Item::Reference(target), &mut schema.parts, &mut seen, Some(&node.location), 0);
        schema.taken = inherited_variants(&schema);
    }
    schema
}

/// The conjunction of schemas: a member described by several parts of an `allOf`.
pub(crate) fn conjunction<'a>(resolver: &mut Resolver<'a>, place: &Node<'a>, nodes: &[Node<'a>]) -> Schema<'a> {
    let mut written = Vec::new();
    let mut items = Vec::new();
    for node in nodes {
        collect_items(resolver, node, &mut written, &mut items);
    }
    let only_types = |item: &Item<'_>| matches!(item, Item::Own(node) if says_only_type(node));
    if items.iter().any(|item| !only_types(item)) {
        // In `{ type: object, allOf: [{ $ref }] }`, the type only repeats that of the reference.
        let typed_by_others = items.iter().any(|item| matches!(item, Item::Reference(_)));
        items.retain(|item| !(typed_by_others && only_types(item)));
    }
    let mut schema =
        Schema { place: place.clone(), written, target: None, parts: Vec::new(), only: None, taken: Vec::new() };
    if let [Item::Reference(target)] = &items[..] {
        schema.target = Some(target.clone());
    } else {
        let mut seen = HashSet::default();
        if items.iter().any(|item| item.reference().is_some()) {
            seen.insert(place.location.pointer().to_owned());
        }
        // Among several schemas, one may refer to another; a single one would refer to itself.
        let alone = (nodes.len() == 1).then_some(&place.location);
        for item in items {
            expand_item(resolver, item, &mut schema.parts, &mut seen, alone, 0);
        }
        schema.taken = inherited_variants(&schema);
    }
    schema
}

/// The parts of the schema at this node.
pub(crate) fn collect_items<'a>(
    resolver: &mut Resolver<'a>,
    node: &Node<'a>,
    written: &mut Vec<Node<'a>>,
    items: &mut Vec<Item<'a>>,
) {
    written.push(node.clone());
    if node.has("$ref") {
        if let Some(target) = follow_once(resolver, node) {
            push(items, target);
        }
        // In OpenAPI 3.0, siblings of a reference are only annotations.
        if resolver.document.version < Version::OpenApi3_1 {
            return;
        }
    }
    for part in node.items("allOf") {
        collect_items(resolver, &part, written, items);
    }
    if says_something(node) {
        items.push(Item::Own(node.clone()));
    }
}

/// Replaces references by their targets.
fn expand_item<'a>(
    resolver: &mut Resolver<'a>,
    item: Item<'a>,
    parts: &mut Vec<Node<'a>>,
    seen: &mut HashSet<String>,
    alone: Option<&Location>,
    depth: usize,
) {
    match item {
        Item::Own(node) => parts.push(node),
        Item::Reference(target) if depth == LONGEST_CHAIN => {
            let message = format!("`allOf` leads through more than {LONGEST_CHAIN} schemas to this one");
            resolver.report(Code::UnresolvedReference, &target.location, message).label("left out there");
        }
        Item::Reference(target) => {
            if !seen.insert(target.location.pointer().to_owned()) {
                if let Some(place) = alone.filter(|place| **place == target.location) {
                    resolver.report(Code::UnresolvedReference, place, "this `allOf` contains itself");
                }
                return;
            }
            let mut items = Vec::new();
            collect_items(resolver, &target, &mut Vec::new(), &mut items);
            for item in items {
                expand_item(resolver, item, parts, seen, alone, depth + 1);
            }
        }
    }
}

/// The lists of variants that include the schema itself, or one that it contains, as a base lists its heirs:
/// they add nothing to the schema.
fn inherited_variants(schema: &Schema<'_>) -> Vec<String> {
    let is_within = |place: &str, target: &str| {
        place.strip_prefix(target).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut lists = Vec::new();
    for part in &schema.parts {
        let others = || schema.parts.iter().filter(|other| other.location != part.location).chain([&schema.place]);
        for keyword in ["oneOf", "anyOf"] {
            let is_inherited = !is_within(part.location.pointer(), schema.place.location.pointer())
                && part.items(keyword).iter().filter_map(|variant| pointer(variant.text("$ref")?)).any(|target| {
                    !is_within(part.location.pointer(), &target)
                        && others().any(|other| is_within(other.location.pointer(), &target))
                });
            if is_inherited {
                lists.push(format!("{} {keyword}", part.location.pointer()));
            }
        }
    }
    lists
}

fn push<'a>(items: &mut Vec<Item<'a>>, target: Node<'a>) {
    let known = items
        .iter()
        .any(|item| matches!(item, Item::Reference(other) if other.location.pointer() == target.location.pointer()));
    if !known {
        items.push(Item::Reference(target));
    }
}

/// Whether a keyword restricts the values; annotations do not.
fn says_something(node: &Node<'_>) -> bool {
    node.object().is_some_and(|object| object.keys().any(|name| restricts_here(node, name)))
}

fn says_only_type(node: &Node<'_>) -> bool {
    node.object()
        .is_some_and(|object| object.keys().filter(|name| restricts_here(node, name)).all(|name| name == "type"))
}

/// Whether the keyword restricts the values, or is a condition on members.
fn restricts_here(node: &Node<'_>, keyword: &str) -> bool {
    let is_condition =
        || matches!(keyword, "not" | "dependentRequired") && condition::conditions_of(node, keyword).is_some();
    let closes = || {
        keyword == "unevaluatedProperties"
            && node.get(keyword).is_some_and(|said| said.value == &serde_json::Value::Bool(false))
    };
    restricts(keyword) || is_condition() || closes()
}

fn restricts(keyword: &str) -> bool {
    matches!(
        keyword,
        "type"
            | "format"
            | "enum"
            | "const"
            | "properties"
            | "additionalProperties"
            | "patternProperties"
            | "propertyNames"
            | "required"
            | "items"
            | "prefixItems"
            | "oneOf"
            | "anyOf"
            | "pattern"
            | "minLength"
            | "maxLength"
            | "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "multipleOf"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "minProperties"
            | "maxProperties"
            | "discriminator"
            | "contentEncoding"
            | "contentMediaType"
    )
}

#[cfg(test)]
mod tests {
    use crate::lower::reference::LONGEST_CHAIN;
    use crate::lower::tests::lowered::schemas;

    #[test]
    fn cycles_end() {
        let lowered = schemas(&[
            "A: { allOf: [{ $ref: '#/components/schemas/B' }, { properties: { a: {} } }] }\nB: { allOf: [{ $ref: '#/components/schemas/A' }, { properties: { b: {} } }] }",
        ]);
        assert_eq!(lowered.models(), ["A { b?: Any, a?: Any }", "B { a?: Any, b?: Any }"]);
        let lowered = schemas(&["A: { allOf: [{ $ref: '#/components/schemas/A' }] }"]);
        assert_eq!(lowered.problems, ["W0301 /components/schemas/A"]);
        let link = |number| {
            let next = number + 1;
            format!("A{number}: {{ allOf: [{{ $ref: '#/components/schemas/A{next}' }}, {{ minLength: {number} }}] }}\n")
        };
        let chain: String = (0..2_000).map(link).collect();
        let lowered = schemas(&[&chain, "A2000: { type: string }"]);
        assert_eq!(lowered.problems.len(), 2_000 - LONGEST_CHAIN, "{:?}", &lowered.problems[..3]);
        assert_eq!(lowered.line("A1990"), "A1990 = String(minLength: 1999)");
    }
}
