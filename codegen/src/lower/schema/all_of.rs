//! `allOf`, taken apart: what a schema says is the list of all nodes that must hold.

use foldhash::HashSet;

use super::condition;
use super::inheritance::pointer;
use crate::diagnostic::Code;
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::reference::{LONGEST_CHAIN, Resolver, follow_once};
use crate::upgrade::Version;

/// What a schema says, `allOf` and references undone.
#[derive(Clone, Debug)]
pub(crate) struct Schema<'a> {
    /// Where it is written.
    pub(crate) place: Node<'a>,
    /// The nodes written at that place, the outer one first: descriptions, defaults and the like are looked up here.
    pub(crate) written: Vec<Node<'a>>,
    /// It says what this other schema says, and no more.
    pub(crate) target: Option<Node<'a>>,
    /// Otherwise all of these must hold.
    pub(crate) parts: Vec<Node<'a>>,
    /// Of several types only this one: a variant of `type: [string, integer]`.
    pub(crate) only: Option<&'static str>,
    /// The lists of variants that have been dealt with, by pointer and keyword.
    pub(crate) taken: Vec<String>,
}

/// One thing that an `allOf` asks for.
pub(crate) enum Item<'a> {
    /// What is written there.
    Own(Node<'a>),
    /// What the schema asks for that a `$ref` leads to.
    Reference(Node<'a>),
}

impl<'a> Item<'a> {
    /// What is written there.
    pub(crate) fn own(&self) -> Option<&Node<'a>> {
        match self {
            Self::Own(node) => Some(node),
            Self::Reference(_) => None,
        }
    }

    /// The schema that is contained.
    pub(crate) fn reference(&self) -> Option<&Node<'a>> {
        match self {
            Self::Own(_) => None,
            Self::Reference(node) => Some(node),
        }
    }
}

impl<'a> Schema<'a> {
    /// The first annotation of that name, the outer ones first.
    pub(crate) fn annotation(&self, name: &str) -> Option<Node<'a>> {
        self.written.iter().find_map(|node| node.get(name))
    }

    /// The text of an annotation.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.written.iter().find_map(|node| node.text(name))
    }

    /// The annotation is `true` at one of the nodes written here.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.written.iter().any(|node| node.flag(name))
    }

    /// The first value of a keyword.
    pub(crate) fn keyword(&self, name: &str) -> Option<Node<'a>> {
        self.parts.iter().find_map(|node| node.get(name))
    }

    /// The variants there have been dealt with.
    pub(crate) fn is_taken(&self, node: &Node<'_>, keyword: &str) -> bool {
        self.taken.iter().any(|taken| {
            taken.strip_suffix(keyword).and_then(|taken| taken.strip_suffix(' ')) == Some(node.location.pointer())
        })
    }

    /// Beside the variants that have been dealt with, there is something that shapes the value.
    pub(crate) fn says_more(&self) -> bool {
        self.says_more_than(&[])
    }

    /// The same, these keywords aside.
    pub(crate) fn says_more_than(&self, keywords: &[&str]) -> bool {
        self.parts.iter().any(|node| {
            node.object().is_some_and(|object| {
                object.keys().any(|name| match name.as_str() {
                    "oneOf" | "anyOf" => !self.is_taken(node, name),
                    "type" | "discriminator" => false,
                    name => restricts(name) && !keywords.contains(&name),
                })
            })
        })
    }
}

/// What the schema at this node says.
pub(crate) fn schema_at<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> Schema<'a> {
    conjunction(resolver, node, std::slice::from_ref(node))
}

/// The same, references that stand alone followed as well.
pub(crate) fn resolved_schema<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> Schema<'a> {
    let mut schema = schema_at(resolver, node);
    for _ in 0..LONGEST_CHAIN {
        let Some(target) = schema.target.clone() else { break };
        schema = schema_at(resolver, &target);
    }
    schema
}

/// The same, what it contains taken apart even where it says no more than that.
pub(crate) fn expanded<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> Schema<'a> {
    let mut schema = schema_at(resolver, node);
    if let Some(target) = schema.target.take() {
        let mut seen = HashSet::from_iter([node.location.pointer().to_owned()]);
        expand_item(resolver, Item::Reference(target), &mut schema.parts, &mut seen, Some(&node.location), 0);
        schema.taken = inherited_variants(&schema);
    }
    schema
}

/// What a value has to be for which all of these schemas hold: a member that several parts of an `allOf` describe.
pub(crate) fn conjunction<'a>(resolver: &mut Resolver<'a>, place: &Node<'a>, nodes: &[Node<'a>]) -> Schema<'a> {
    let mut written = Vec::new();
    let mut items = Vec::new();
    for node in nodes {
        collect_items(resolver, node, &mut written, &mut items);
    }
    let only_types = |item: &Item<'_>| matches!(item, Item::Own(node) if says_only_type(node));
    if items.iter().any(|item| !only_types(item)) {
        // `{ type: object, allOf: [{ $ref }] }` repeats what the reference says.
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
        // Among several schemas one may refer to another; only alone does it refer to itself.
        let alone = (nodes.len() == 1).then_some(&place.location);
        for item in items {
            expand_item(resolver, item, &mut schema.parts, &mut seen, alone, 0);
        }
        schema.taken = inherited_variants(&schema);
    }
    schema
}

/// What the schema at this node asks for, and the nodes that say so.
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
        // What stands beside a reference in OpenAPI 3.0 annotates it; the specification lets nothing else count.
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

/// Replaces references by what they lead to.
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

/// The lists of variants that have the schema itself, or one that it contains, among them: whatever holds for the schema
/// is such a variant. A base lists its heirs like that.
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

/// Some keyword restricts the values; descriptions and the like do not.
fn says_something(node: &Node<'_>) -> bool {
    node.object().is_some_and(|object| object.keys().any(|name| restricts_here(node, name)))
}

fn says_only_type(node: &Node<'_>) -> bool {
    node.object()
        .is_some_and(|object| object.keys().filter(|name| restricts_here(node, name)).all(|name| name == "type"))
}

/// The keyword restricts the values, or says which members go together.
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
    use crate::lower::testing::schemas;

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
        assert_eq!(lowered.line("A1990"), "A1990 = String(minLength 1999)");
    }
}
