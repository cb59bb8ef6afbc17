//! A `discriminator` without `oneOf`: its variants are the schemas that contain its schema by `allOf`.

use foldhash::{HashMap, HashSet};

use super::all_of::{Item, Schema, collect_items, expanded};
use super::reader::Reader;
use super::type_name::{schema_key, schema_rust_name};
use super::union::discriminator::{OWN_TAG, read_discriminator};
use super::{Shape, built, model_at, model_kind};
use crate::ir::{self, ModelId, Name, Tagging, TextForm, Type, Union, UnionForm, Value, Variant};
use crate::location;
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::reference::{LONGEST_CHAIN, Resolver, defined_at, node_at};
use crate::upgrade::Document;

/// A schema with heirs: schemas that contain it.
#[derive(Clone, Debug)]
pub(crate) struct Base<'a> {
    /// Its own `discriminator`, or that of the closest ancestor.
    discriminator: Node<'a>,
    /// The variants, in the order of the description.
    variants: Vec<Node<'a>>,
    /// The model of its own members, once needed.
    own: Option<ModelId>,
}

/// The inheritance relations, by pointer.
#[derive(Debug, Default)]
pub(crate) struct Inheritance<'a> {
    bases: HashMap<String, Base<'a>>,
    derived: HashSet<String>,
}

impl<'a> Inheritance<'a> {
    /// Whether the schema contains one that is a union as a type.
    pub(super) fn is_derived(&self, node: &Node<'a>) -> bool {
        self.derived.contains(node.location.pointer())
    }

    /// Whether the schema is part of a hierarchy with a discriminator.
    pub(super) fn is_in_hierarchy(&self, node: &Node<'a>) -> bool {
        self.is_derived(node) || self.bases.contains_key(node.location.pointer())
    }
}

/// A named schema, and its parents.
struct Relative<'a> {
    node: Node<'a>,
    /// Their pointers.
    parents: Vec<String>,
    /// Its discriminator, with the pointers of mapped schemas.
    discriminator: Option<(Node<'a>, HashSet<String>)>,
    /// Whether it only repeats its parent, so it may be an alias.
    is_alias: bool,
    /// Whether it lists its variants itself.
    is_union: bool,
}

/// Finds bases among named schemas and those of other files.
pub(crate) fn find_inheritance<'a>(resolver: &mut Resolver<'a>, named: &[(&'a str, Node<'a>)]) -> Inheritance<'a> {
    let mut seen = HashSet::default();
    let named = named.iter().map(|(_, node)| defined_at(resolver.document, node.location.pointer()));
    let places =
        named.chain(resolver.document.schemas_elsewhere.iter().map(|pointer| defined_at(resolver.document, pointer)));
    let places: Vec<_> = places.filter(|pointer| seen.insert(pointer.clone())).collect();
    let nodes =
        places.into_iter().filter_map(|pointer| node_at(resolver.document, &resolver.document.root.node(pointer)));
    let schemas: Vec<_> = nodes.collect();
    if !schemas.iter().any(|node| mentions(node.value, "discriminator")) {
        return Inheritance::default();
    }
    let mut relatives: Vec<Relative<'a>> = Vec::new();
    for node in &schemas {
        let mut items = Vec::new();
        collect_items(resolver, node, &mut Vec::new(), &mut items);
        let own = || items.iter().filter_map(Item::own);
        let discriminator = own().find_map(|part| part.get("discriminator"));
        let discriminator = discriminator.map(|node| {
            let mapping = node.members("mapping");
            let mapped =
                mapping.iter().filter_map(|(_, place)| mapped_to(resolver.document, place.value.as_str()?, &node));
            let mapped = mapped.collect();
            (node, mapped)
        });
        let is_union = own().any(|part| part.has("oneOf") || part.has("anyOf"));
        let is_alias = own().next().is_none();
        let parents = items.iter().filter_map(Item::reference);
        let parents = parents.map(|parent| defined_at(resolver.document, parent.location.pointer())).collect();
        relatives.push(Relative { node: node.clone(), parents, discriminator, is_alias, is_union });
    }
    let discriminators = relatives.iter().filter_map(|relative| relative.discriminator.as_ref());
    let mapped: HashSet<String> = discriminators.flat_map(|(_, mapped)| mapped).cloned().collect();
    for relative in &mut relatives {
        let has_tag = mapped.contains(relative.node.location.pointer()) || relative.node.has(OWN_TAG);
        relative.is_alias &= !has_tag;
    }
    let mut found = Inheritance::default();
    let hierarchy = Hierarchy::new(&relatives);
    for (index, relative) in relatives.iter().enumerate() {
        if relative.is_union {
            continue;
        }
        let Some((discriminator, mapped)) = hierarchy.discriminator(index) else { continue };
        let variants = hierarchy.variants(index, mapped);
        if variants.len() > 1 {
            let pointer = relative.node.location.pointer();
            found.derived.extend(variants.iter().map(|variant| variant.location.pointer().to_owned()));
            let base = Base { discriminator: discriminator.clone(), variants, own: None };
            found.bases.insert(pointer.to_owned(), base);
        }
    }
    found
}

/// The pointer of the schema named by a mapping: a name in the same file, possibly a sibling of the
/// discriminator's schema.
pub(crate) fn mapped_to<'a>(document: &'a Document, said: &str, discriminator: &Node<'a>) -> Option<String> {
    let named = pointer(said)?;
    let place = &discriminator.location;
    let file = place.pointer().strip_suffix(document.origin(place).pointer()).unwrap_or_default();
    let sibling = place.pointer().rsplit_once('/').and_then(|(base, _)| base.rsplit_once('/'));
    let sibling = sibling.map(|(siblings, _)| location::joined(siblings, &[said]));
    let mut candidates = [Some(format!("{file}{named}")), sibling].into_iter().flatten();
    let exists = |pointer: &String| node_at(document, &document.root.node(pointer.clone())).is_some();
    let found = candidates.find(|pointer| !said.starts_with('#') && exists(pointer));
    Some(defined_at(document, &found.unwrap_or(named)))
}

/// The union of a model's schema and its heirs, if it has any.
pub(crate) fn inherited_union<'a>(reader: &mut Reader<'a>, node: &Node<'a>) -> Option<Shape<'a>> {
    let base = reader.inheritance.bases.get(node.location.pointer())?.clone();
    let names: Vec<_> = base
        .variants
        .iter()
        .map(|variant| schema_rust_name(&mut reader.resolver, &mut reader.overrides, variant))
        .collect();
    let mut scope = name::Scope::reserving(&[ir::unknown(names.iter().map(String::as_str))]);
    let mut variants = Vec::new();
    for (variant, rust) in base.variants.iter().zip(name::unique(&names, &mut scope)) {
        let id = own_model(reader, variant);
        let value = Value { nullable: false, ..Value::plain(Type::Model(id)) };
        variants.push(Variant { rust, doc: None, value, exact: false, form: TextForm::default() });
    }
    let targets: Vec<_> = base.variants.iter().map(|node| Some(node.location.pointer().to_owned())).collect();
    let is_own = base.discriminator.location.pointer().starts_with(node.location.pointer());
    let mut discriminator = read_discriminator(&mut reader.resolver, &base.discriminator, &targets, is_own);
    if let Some(discriminator) = &mut discriminator {
        discriminator.base = base.variants.iter().position(|variant| variant.location == node.location);
    }
    Some(Shape::Union(
        Union { variants, tagging: Tagging::Ordered, any_of: false, form: UnionForm::default() },
        discriminator,
    ))
}

/// The model of a variant itself, ignoring heirs.
fn own_model<'a>(reader: &mut Reader<'a>, node: &Node<'a>) -> ModelId {
    let Some(base) = reader.inheritance.bases.get(node.location.pointer()) else {
        return model_at(reader.resolver.document, &mut reader.models, node);
    };
    if let Some(id) = base.own {
        return id;
    }
    let schema: Schema<'a> = expanded(&mut reader.resolver, node);
    let wire = schema_key(reader.resolver.document, &node.location);
    let hint = format!("{}Base", name::pascal(&wire));
    let (kind, discriminator) = model_kind(reader, &schema, &hint);
    let built = built(&schema, kind, discriminator);
    let id = reader.models.add_built(Name { wire, rust: hint }, node.clone(), built, false);
    if let Some(base) = reader.inheritance.bases.get_mut(node.location.pointer()) {
        base.own = Some(id);
    }
    id
}

/// The inheritance hierarchy.
struct Hierarchy<'r, 'a> {
    relatives: &'r [Relative<'a>],
    /// The ancestors of each schema, the closest first.
    ancestors: Vec<Vec<usize>>,
    /// The schemas with heirs.
    inherited: HashSet<usize>,
}

impl<'r, 'a> Hierarchy<'r, 'a> {
    fn new(relatives: &'r [Relative<'a>]) -> Self {
        let places: HashMap<&str, usize> =
            relatives.iter().enumerate().map(|(index, relative)| (relative.node.location.pointer(), index)).collect();
        let parents: Vec<Vec<usize>> = relatives
            .iter()
            .map(|relative| {
                let places = relative.parents.iter().map(|parent| places.get(parent.as_str()));
                places.flatten().copied().collect()
            })
            .collect();
        let ancestors: Vec<_> = (0..relatives.len()).map(|index| ancestors(&parents, index)).collect();
        let real = ancestors.iter().zip(relatives).filter(|(_, relative)| !relative.is_alias);
        let inherited = real.flat_map(|(ancestors, _)| ancestors).copied().collect();
        Self { relatives, ancestors, inherited }
    }

    fn discriminator(&self, index: usize) -> Option<&'r (Node<'a>, HashSet<String>)> {
        std::iter::once(&index)
            .chain(&self.ancestors[index])
            .filter(|index| !self.relatives[**index].is_union)
            .find_map(|index| self.relatives[*index].discriminator.as_ref())
    }

    /// The variants of a base. A base with heirs is a variant itself if it has a tag: it is mapped, or
    /// nothing is.
    fn variants(&self, base: usize, mapped: &HashSet<String>) -> Vec<Node<'a>> {
        let is_own = self.relatives[base].discriminator.is_some();
        let is_variant = |index: usize| {
            let relative = &self.relatives[index];
            let is_derived_here = self.ancestors[index].contains(&base);
            if mapped.contains(relative.node.location.pointer()) {
                return index == base || is_derived_here || is_own;
            }
            let is_leaf = !self.inherited.contains(&index);
            let has_tag = mapped.is_empty() || (is_leaf && index != base);
            has_tag && !relative.is_union && !relative.is_alias && (index == base || is_derived_here)
        };
        (0..self.relatives.len())
            .filter(|index| is_variant(*index))
            .map(|index| self.relatives[index].node.clone())
            .collect()
    }
}

/// The ancestors of a schema by `allOf`.
fn ancestors(parents: &[Vec<usize>], index: usize) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut seen = HashSet::default();
    let mut next = parents[index].clone();
    for _ in 0..=LONGEST_CHAIN {
        next.retain(|parent| seen.insert(*parent));
        found.extend(&next);
        next = next.iter().flat_map(|parent| &parents[*parent]).copied().collect();
    }
    found
}

/// The pointer of the schema that `mapping` or a `$ref` names.
pub(crate) fn pointer(said: &str) -> Option<String> {
    match said.strip_prefix('#') {
        Some(pointer) => Some(location::decoded(pointer).into_owned()),
        None if said.contains(['/', '#']) => None,
        None => Some(format!("/components/schemas/{said}")),
    }
}

/// Whether the schema has this keyword near its top.
fn mentions(value: &serde_json::Value, keyword: &str) -> bool {
    value.get(keyword).is_some()
        || value
            .get("allOf")
            .and_then(serde_json::Value::as_array)
            .is_some_and(|parts| parts.iter().any(|part| part.get(keyword).is_some()))
}
