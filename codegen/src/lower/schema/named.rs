//! The schemas of `components`, each of which becomes a model.

use super::build_model;
use super::inheritance::find_inheritance;
use super::reader::Reader;
use crate::ir::Name;
use crate::location::Location;
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::reference::{LONGEST_CHAIN, follow_once};

/// Every schema with a name becomes a model, used or not.
pub(crate) fn add_all(reader: &mut Reader<'_>) {
    let document = reader.resolver.document;
    let root = Node::new(&document.tree, document.root.clone());
    let Some(components) = root.get("components") else { return };
    let schemas = components.members("schemas");
    reader.inheritance = find_inheritance(&mut reader.resolver, &schemas);
    for (name, node) in schemas {
        let name = Name { rust: name::pascal(name), wire: name.to_owned() };
        match defined_elsewhere(reader, &node) {
            Some((target, between)) => {
                let id = reader.models.add_unread(name, target, true);
                for place in [node.location].iter().chain(&between) {
                    reader.models.alias(place, id);
                }
            }
            None => {
                reader.models.add_unread(name, node, true);
            }
        }
    }
}

/// `Pet: { $ref: pet.yaml }` names a schema of another file instead of defining one. Returns it with the
/// intermediate locations, each of which is only a `$ref`.
fn defined_elsewhere<'a>(reader: &mut Reader<'a>, node: &Node<'a>) -> Option<(Node<'a>, Vec<Location>)> {
    let is_reference =
        |node: &Node<'_>| node.value.as_object().is_some_and(|said| said.len() == 1 && said.contains_key("$ref"));
    if !is_reference(node) || reader.inheritance.is_in_hierarchy(node) {
        return None;
    }
    let mut target = follow_once(&mut reader.resolver, node)?;
    let mut between = Vec::new();
    loop {
        let is_new = reader.models.at(&target.location).is_none();
        let is_elsewhere =
            reader.resolver.document.origin(&target.location).file() != reader.resolver.document.root.file();
        if !is_new || !is_elsewhere {
            return None;
        }
        if !is_reference(&target) || between.contains(&target.location) || between.len() == LONGEST_CHAIN {
            return Some((target, between));
        }
        let next = follow_once(&mut reader.resolver, &target)?;
        between.push(target.location);
        target = next;
    }
}

/// Reads the schemas of all models, including those found meanwhile.
pub(crate) fn build_all(reader: &mut Reader<'_>) {
    let mut next = 0;
    while let Some(id) = reader.models.unread(next) {
        build_model(reader, id);
        next = id.0 + 1;
    }
}
